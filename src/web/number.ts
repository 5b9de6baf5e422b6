import { type Language, languageTags } from "./words/language.ts";

/** A whole number with the separators of the language. */
export function numberText(value: number, language: Language): string {
  return new Intl.NumberFormat(languageTags[language]).format(value);
}
