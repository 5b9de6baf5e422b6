/**
 * The formatters of `Intl`, each made once and kept: making one costs as much as a table row, and the memory
 * behind it is none that the collector sees, so that a busy server would grow by hundreds of megabytes.
 */
import { type Language, languageTags } from "./words/language.ts";

/** British English, for the day before the month; the other languages have one way. */
const dateLocale = (language: Language) => (language === "en" ? "en-GB" : languageTags[language]);

const dates = new Map<string, Intl.DateTimeFormat>();
const numbers = new Map<string, Intl.NumberFormat>();
const plurals = new Map<string, Intl.PluralRules>();

function kept<T>(formats: Map<string, T>, key: string, make: () => T): T {
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = make();
  formats.set(key, made);
  return made;
}

// The keys stay few: every caller's options come from a closed list.
const keyOf = (language: Language, options: object) => `${language} ${JSON.stringify(options)}`;

export function dateFormat(language: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return kept(dates, keyOf(language, options), () => new Intl.DateTimeFormat(dateLocale(language), options));
}

export function numberFormat(language: Language, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  return kept(
    numbers,
    keyOf(language, options),
    () => new Intl.NumberFormat(languageTags[language], options),
  );
}

export function pluralRules(language: Language, options: Intl.PluralRulesOptions = {}): Intl.PluralRules {
  return kept(plurals, keyOf(language, options), () => new Intl.PluralRules(languageTags[language], options));
}
