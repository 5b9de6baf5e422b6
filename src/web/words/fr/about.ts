import type { AboutLanguage } from "../parts/about_language.ts";

/** Users are addressed with "vous". */
export const about = { name: "Français", tag: "fr" } as const satisfies AboutLanguage;
