import type { AboutLanguage } from "../parts/about_language.ts";

/** As in Brazil. People are addressed with "você". */
export const about = { name: "Português (Brasil)", tag: "pt-BR" } as const satisfies AboutLanguage;
