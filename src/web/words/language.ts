import * as folders from "./catalogues.ts";
import type { AboutLanguage } from "./parts/about_language.ts";
import type { Message } from "./parts/message.ts";

/** The languages that come with the server. */
export type BuiltInLanguage = keyof typeof folders;

/** A language in the words of an operator, with all that it says: one of ours or a new one. It never changes. */
export interface OperatorLanguage {
  readonly code: string;
  readonly about: AboutLanguage;
  /** By their paths. */
  readonly messages: ReadonlyMap<string, Message>;
  /** Says the messages that are left out. */
  readonly stands_in: Language;
}

/** A language that pages speak: a built-in one, by its code, or one of the operator. */
export type Language = BuiltInLanguage | OperatorLanguage;

/** The languages of the console. */
export type ManagementLanguage =
  | BuiltInManagementLanguage
  | (OperatorLanguage & { readonly about: { readonly management: true } });

type BuiltInManagementLanguage = {
  [Each in BuiltInLanguage]: (typeof folders)[Each] extends { readonly management: true } ? Each : never;
}[BuiltInLanguage];

const builtIn: Readonly<Record<BuiltInLanguage, AboutLanguage>> = { ...folders };

/** The languages that come with the server, the one to fall back to first. */
export const languages: readonly [BuiltInLanguage, ...BuiltInLanguage[]] = [
  "en",
  ...(Object.keys(builtIn) as BuiltInLanguage[]).filter((code) => code !== "en"),
];

/** Those of them that the console speaks, in the same order. */
export const managementLanguages = languages.filter((code) => hasManagement(code));

/** What addresses, forms, cookies and records call a language. */
export function codeOf(language: Language): string {
  return typeof language === "string" ? language : language.code;
}

/** The language of this code among those that a server speaks; undefined where it speaks none. */
export function findLanguage(
  code: string | null | undefined,
  spoken: readonly Language[],
): Language | undefined {
  return spoken.find((each) => codeOf(each) === code);
}

/** The same, or English as this server speaks it. */
export function languageOr(code: string | null | undefined, spoken: readonly Language[]): Language {
  return findLanguage(code, spoken) ?? findLanguage("en", spoken) ?? "en";
}

export function isBuiltIn(code: unknown): code is BuiltInLanguage {
  return (languages as readonly unknown[]).includes(code);
}

export function hasManagement(language: Language): language is ManagementLanguage {
  return aboutLanguage(language).management === true;
}

/**
 * The language of the console for a person who reads this one: the one that it falls back to, or the English
 * of this server, where the console has no words in it.
 */
export function managementLanguage(language: Language, spoken: readonly Language[]): ManagementLanguage {
  if (hasManagement(language)) return language;
  if (typeof language !== "string") return managementLanguage(language.stands_in, spoken);
  return spoken.filter(hasManagement).find((each) => codeOf(each) === "en") ?? "en";
}

/** The name of a language, and its tag. */
export function aboutLanguage(language: Language): AboutLanguage {
  return typeof language === "string" ? builtIn[language] : language.about;
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
