import type { Language } from "../../src/web/words/language.ts";
import type { PageLocale } from "../../src/web/words/page_locale.ts";
import { wordsOf } from "../../src/web/words/words.ts";

/** Somebody who reads this language, on a page at `/somewhere`. */
export function aReader(language: Language = "en"): PageLocale {
  return { words: wordsOf(language), language, return_to: "/somewhere?a=1" };
}
