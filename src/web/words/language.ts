import type { AboutLanguage } from "./about_language.ts";
import * as folders from "./catalogues.ts";

/** The languages that come with the server. */
export type BuiltInLanguage = keyof typeof folders;

declare const added: unique symbol;

/** A language that the pages speak, by its code: a built-in one, or one that the operator added. */
export type Language = BuiltInLanguage | (string & { readonly [added]: true });

/** The languages of the console. */
export type ManagementLanguage = {
  [Each in BuiltInLanguage]: (typeof folders)[Each] extends { readonly management: true } ? Each : never;
}[BuiltInLanguage];

const builtIn: Readonly<Record<BuiltInLanguage, AboutLanguage>> = { ...folders };

/** The languages that come with the server, the one to fall back to first. */
export const languages: readonly [BuiltInLanguage, ...BuiltInLanguage[]] = [
  "en",
  ...(Object.keys(builtIn) as BuiltInLanguage[]).filter((code) => code !== "en"),
];

/** What this process speaks, in the order of the chooser. */
const spoken = new Map<Language, AboutLanguage>(languages.map((code) => [code, builtIn[code]]));

/** The languages that the console speaks, the one to fall back to first. */
export const managementLanguages: readonly ManagementLanguage[] = languages.filter(hasManagement);

/** The languages that the pages speak: built-in ones first, then those of the operator. */
export function spokenLanguages(): readonly Language[] {
  return [...spoken.keys()];
}

export function isLanguage(text: string | undefined): text is Language {
  return (spoken as ReadonlyMap<string | undefined, unknown>).has(text);
}

export function isBuiltIn(code: unknown): code is BuiltInLanguage {
  return (languages as readonly unknown[]).includes(code);
}

/**
 * Lets the pages of this process speak a language, or call one otherwise. Answers what takes that back;
 * `useOperatorWords` is the one caller.
 */
export function addLanguage(code: string, about: AboutLanguage): () => void {
  const language = code as Language;
  spoken.set(language, about);
  return () => {
    if (isBuiltIn(code)) spoken.set(code, builtIn[code]);
    else spoken.delete(language);
  };
}

function hasManagement(language: Language): language is ManagementLanguage {
  return isBuiltIn(language) && builtIn[language].management === true;
}

/**
 * The language of the console for a person who reads this one: the one that it falls back to, or English,
 * where the console has no words in it.
 */
export function managementLanguage(language: Language): ManagementLanguage {
  if (hasManagement(language)) return language;
  const { falls_back_to } = aboutLanguage(language);
  return falls_back_to !== undefined && isLanguage(falls_back_to) ? managementLanguage(falls_back_to) : "en";
}

/** The name of a language, and its tag. */
export function aboutLanguage(language: Language): AboutLanguage {
  return spoken.get(language) ?? builtIn.en;
}

/** The BCP 47 tag that a page declares, and by which numbers and plurals are formed. */
export function languageTag(language: Language): string {
  return aboutLanguage(language).tag;
}

/** Which way a language is written: the `dir` of a page. */
export function directionOf(language: Language): "ltr" | "rtl" {
  const locale: Intl.Locale & { getTextInfo?(): { direction?: string } } = new Intl.Locale(
    languageTag(language),
  );
  return locale.getTextInfo?.().direction === "rtl" ? "rtl" : "ltr";
}

/** The locale that dates are written by. */
export function dateLocale(language: Language): string {
  const { tag, date_locale = tag } = aboutLanguage(language);
  return date_locale;
}
