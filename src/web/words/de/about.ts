import type { AboutLanguage } from "../parts/about_language.ts";

/** Users are addressed with "Sie". */
export const about = { name: "Deutsch", tag: "de" } as const satisfies AboutLanguage;
