import type { AboutLanguage } from "../about_language.ts";

export const about: AboutLanguage = {
  name: "中文",
  // In simplified characters.
  tag: "zh-Hans",
};
