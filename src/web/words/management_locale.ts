import { hasManagement, languages, managementLanguage } from "./language.ts";
import type { ManagementLocale, PageLocale } from "./page_locale.ts";
import { wordsOf } from "./words.ts";

/** Returns the locale of a console page for this viewer (`managementLanguage`). */
export function managementLocale(locale: PageLocale): ManagementLocale {
  const { offered = languages } = locale;
  const language = managementLanguage(locale.language, offered);
  return { ...locale, language, words: wordsOf(language), offered: offered.filter(hasManagement) };
}
