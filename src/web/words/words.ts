import type { Catalogue } from "./en/catalogue.ts";
import { catalogueOf, type Language } from "./language.ts";

/** All that the pages say in one language, by subject. */
export type Words = Catalogue["words"];

export function wordsOf(language: Language): Words {
  return catalogueOf(language).words;
}
