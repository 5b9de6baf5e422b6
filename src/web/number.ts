import { numberFormat } from "./html/formats.ts";
import { type Language, languageTag } from "./words/language.ts";

/** Formats an integer with the separators of the language. */
export function numberText(value: number, language: Language): string {
  return numberFormat(languageTag(language)).format(value);
}
