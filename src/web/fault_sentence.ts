import { type Html, html } from "./html.ts";
import { faultText } from "./words/faults.ts";
import type { Language } from "./words/language.ts";

/** A sentence of the records' rules for a reader: in their language, or else marked as English. */
export function faultSentence(sentence: string, language: Language): Html {
  const text = faultText(sentence, language);
  return text === undefined ? html`<span lang="en">${sentence}</span>` : html`${text}`;
}
