import type { AboutLanguage } from "./about_language.ts";
import * as folders from "./catalogues.ts";

export type Language = keyof typeof folders;

/** The languages of the console. */
export type ManagementLanguage = {
  [Each in Language]: (typeof folders)[Each] extends { readonly management: true } ? Each : never;
}[Language];

const all: Readonly<Record<Language, AboutLanguage>> = { ...folders };

/** The languages that the pages speak, the one to fall back to first. */
export const languages: readonly [Language, ...Language[]] = [
  "en",
  ...(Object.keys(all) as Language[]).filter((code) => code !== "en"),
];

/** The languages that the console speaks, the one to fall back to first. */
export const managementLanguages: readonly ManagementLanguage[] = languages.filter(hasManagement);

export function isLanguage(text: string | undefined): text is Language {
  return (languages as readonly (string | undefined)[]).includes(text);
}

function hasManagement(language: Language): language is ManagementLanguage {
  return all[language].management === true;
}

/** The language of the console for a person who reads this one: English, where it has no words in it. */
export function managementLanguage(language: Language): ManagementLanguage {
  return hasManagement(language) ? language : "en";
}

/** The name of a language, and its tag. */
export function aboutLanguage(language: Language): AboutLanguage {
  return all[language];
}

/** The BCP 47 tag that a page declares, and by which numbers and plurals are formed. */
export function languageTag(language: Language): string {
  return aboutLanguage(language).tag;
}

/** The locale that dates are written by. */
export function dateLocale(language: Language): string {
  const { tag, date_locale = tag } = aboutLanguage(language);
  return date_locale;
}
