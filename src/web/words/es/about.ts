import type { AboutLanguage } from "../parts/about_language.ts";

export const about = { name: "Español", tag: "es", management: true } as const satisfies AboutLanguage;
