import type { AboutLanguage } from "../parts/about_language.ts";

export const about = {
  name: "English",
  tag: "en",
  // With the locale `en`, the month would come before the day.
  date_locale: "en-GB",
  management: true,
} as const satisfies AboutLanguage;
