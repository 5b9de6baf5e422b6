import { createRequire } from "node:module";
import { words as english, type PersonWords } from "./en/catalogue.ts";
import { type ManagementWords, managementWords } from "./en/management.ts";
import type { Language, ManagementLanguage } from "./language.ts";
import { managementLanguage } from "./language.ts";

export type { PersonWords };

/** All that the pages say: to the people who sign in, and in the console. */
export type Words = PersonWords & ManagementWords;

const read = createRequire(import.meta.url);
/** The package holds JavaScript (`packages/server`). */
const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";

const known = new Map<Language, PersonWords>([["en", { ...english, ...managementWords }]]);

/**
 * All that the pages say in one language, by subject. Those of another language than English are read at its
 * first page: each takes some megabytes.
 */
export function wordsOf(language: ManagementLanguage): Words;
export function wordsOf(language: Language): PersonWords;
export function wordsOf(language: Language): PersonWords {
  const made = known.get(language) ?? readWords(language);
  known.set(language, made);
  return made;
}

function readWords(language: Language): PersonWords {
  const { words } = read(`./${language}/catalogue.${extension}`) as { readonly words: PersonWords };
  if (managementLanguage(language) !== language) return words;
  const management = read(`./${language}/management.${extension}`) as {
    readonly managementWords: ManagementWords;
  };
  return { ...words, ...management.managementWords };
}
