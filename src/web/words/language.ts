import * as folders from "./catalogues.ts";
import type { AboutLanguage } from "./parts/about_language.ts";
import type { Message } from "./parts/message.ts";

export type BuiltInLanguage = keyof typeof folders;

export interface OperatorLanguage {
  readonly code: string;
  readonly about: AboutLanguage;
  readonly messages: ReadonlyMap<string, Message>;
  /** The language from which messages come that are missing in `messages`. */
  readonly stands_in: Language;
}

export type Language = BuiltInLanguage | OperatorLanguage;

export type ManagementLanguage =
  | BuiltInManagementLanguage
  | (OperatorLanguage & { readonly about: { readonly management: true } });

type BuiltInManagementLanguage = {
  [Each in BuiltInLanguage]: (typeof folders)[Each] extends { readonly management: true } ? Each : never;
}[BuiltInLanguage];

const builtIn: Readonly<Record<BuiltInLanguage, AboutLanguage>> = { ...folders };

export const languages: readonly [BuiltInLanguage, ...BuiltInLanguage[]] = [
  "en",
  ...(Object.keys(builtIn) as BuiltInLanguage[]).filter((code) => code !== "en"),
];

export const managementLanguages = languages.filter((code) => hasManagement(code));

/** Returns the code with which URLs, forms, cookies and records name a language. */
export function codeOf(language: Language): string {
  return typeof language === "string" ? language : language.code;
}

/** Returns the language with this code, if the server has it. */
export function findLanguage(
  code: string | null | undefined,
  spoken: readonly Language[],
): Language | undefined {
  return spoken.find((each) => codeOf(each) === code);
}

/** Returns the language with this code, or else English. */
export function languageOr(code: string | null | undefined, spoken: readonly Language[]): Language {
  return findLanguage(code, spoken) ?? findLanguage("en", spoken) ?? "en";
}

export function isBuiltIn(code: unknown): code is BuiltInLanguage {
  return (languages as readonly unknown[]).includes(code);
}

export function hasManagement(language: Language): language is ManagementLanguage {
  return aboutLanguage(language).management === true;
}

/** Returns the language of the console for a user: the user's own, its fallback or English. */
export function managementLanguage(language: Language, spoken: readonly Language[]): ManagementLanguage {
  if (hasManagement(language)) return language;
  if (typeof language !== "string") return managementLanguage(language.stands_in, spoken);
  return spoken.filter(hasManagement).find((each) => codeOf(each) === "en") ?? "en";
}

export function aboutLanguage(language: Language): AboutLanguage {
  return typeof language === "string" ? builtIn[language] : language.about;
}

/** Returns the BCP 47 tag that a page declares and with which numbers and plurals are formatted. */
export function languageTag(language: Language): string {
  return aboutLanguage(language).tag;
}

export function directionOf(language: Language): "ltr" | "rtl" {
  const locale: Intl.Locale & { getTextInfo?(): { direction?: string } } = new Intl.Locale(
    languageTag(language),
  );
  return locale.getTextInfo?.().direction === "rtl" ? "rtl" : "ltr";
}

export function dateLocale(language: Language): string {
  const { tag, date_locale = tag } = aboutLanguage(language);
  return date_locale;
}
