import type { AboutLanguage } from "../parts/about_language.ts";

/** Brazilian Portuguese. Users are addressed with "você". */
export const about = { name: "Português (Brasil)", tag: "pt-BR" } as const satisfies AboutLanguage;
