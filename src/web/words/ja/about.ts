import type { AboutLanguage } from "../parts/about_language.ts";

/** Users are addressed in the polite form (です・ます). */
export const about = { name: "日本語", tag: "ja" } as const satisfies AboutLanguage;
