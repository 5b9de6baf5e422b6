import { pluralRules } from "./formats.ts";
import { numberText } from "./number.ts";
import type { Plural } from "./words/en/records.ts";
import type { Language } from "./words/language.ts";

/** So many of something, in the form that the language has for that many. */
export function pluralText(forms: Plural, count: number, language: Language): string {
  const rule = pluralRules(language).select(count);
  return forms[rule === "one" ? "one" : "other"](numberText(count, language));
}
