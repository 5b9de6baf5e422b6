import type { AboutLanguage } from "../parts/about_language.ts";

export const about = {
  name: "中文",
  // Simplified characters.
  tag: "zh-Hans",
  management: true,
} as const satisfies AboutLanguage;
