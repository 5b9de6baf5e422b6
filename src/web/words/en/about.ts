import type { AboutLanguage } from "../parts/about_language.ts";

export const about = {
  name: "English",
  tag: "en",
  // The day before the month.
  date_locale: "en-GB",
  management: true,
} as const satisfies AboutLanguage;
