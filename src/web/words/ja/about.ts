import type { AboutLanguage } from "../parts/about_language.ts";

/** In the polite form (です・ます). */
export const about = { name: "日本語", tag: "ja" } as const satisfies AboutLanguage;
