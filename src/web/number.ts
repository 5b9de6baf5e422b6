import { numberFormat } from "./html/formats.ts";
import { type Language, languageTag } from "./words/language.ts";

export function numberText(value: number, language: Language): string {
  return numberFormat(languageTag(language)).format(value);
}
