import type { AboutLanguage } from "../parts/about_language.ts";

/** People are addressed with "vous". */
export const about = { name: "Français", tag: "fr" } as const satisfies AboutLanguage;
