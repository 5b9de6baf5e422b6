import { hasManagement, languages, managementLanguage } from "./language.ts";
import type { ManagementLocale, PageLocale } from "./page_locale.ts";
import { wordsOf } from "./words.ts";

/** What a page of the console is rendered with for this reader: in English where it lacks their language. */
export function managementLocale(locale: PageLocale): ManagementLocale {
  const { offered = languages } = locale;
  const language = managementLanguage(locale.language, offered);
  return { ...locale, language, words: wordsOf(language), offered: offered.filter(hasManagement) };
}
