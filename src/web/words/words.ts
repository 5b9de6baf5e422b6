import { createRequire } from "node:module";
import { words as english, type Words } from "./en/catalogue.ts";
import type { Language } from "./language.ts";

export type { Words };

const read = createRequire(import.meta.url);

const known = new Map<Language, Words>([["en", english]]);

/**
 * All that the pages say in one language, by subject. Those of another language than English are read at its
 * first page: each takes some megabytes.
 */
export function wordsOf(language: Language): Words {
  let words = known.get(language);
  if (words === undefined) {
    ({ words } = read(`./${language}/catalogue.ts`) as { readonly words: Words });
    known.set(language, words);
  }
  return words;
}
