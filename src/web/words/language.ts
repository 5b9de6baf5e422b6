import * as folders from "./catalogues.ts";
import type { Catalogue } from "./en/catalogue.ts";

export type Language = keyof typeof folders;

const catalogues: Readonly<Record<Language, Catalogue>> = { ...folders };

/** The languages that the pages speak, the one to fall back to first. */
export const languages: readonly [Language, ...Language[]] = [
  "en",
  ...(Object.keys(catalogues) as Language[]).filter((code) => code !== "en"),
];

export function isLanguage(text: string | undefined): text is Language {
  return (languages as readonly (string | undefined)[]).includes(text);
}

/** The messages of a language, its name and its tag. */
export function catalogueOf(language: Language): Catalogue {
  return catalogues[language];
}

/** The BCP 47 tag that a page declares, and by which numbers and plurals are formed. */
export function languageTag(language: Language): string {
  return catalogueOf(language).tag;
}

/** The locale that dates are written by. */
export function dateLocale(language: Language): string {
  const { tag, date_locale = tag } = catalogueOf(language);
  return date_locale;
}
