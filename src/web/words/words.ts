import { createRequire } from "node:module";
import { words as english, type PersonWords } from "./en/catalogue.ts";
import { type ManagementWords, managementWords } from "./en/management.ts";
import {
  aboutLanguage,
  addLanguage,
  isBuiltIn,
  isLanguage,
  type Language,
  type ManagementLanguage,
  managementLanguage,
} from "./language.ts";
import type { Message } from "./message.ts";
import type { OperatorWords } from "./operator_words.ts";

export type { PersonWords };

/** All that the pages say: to the people who sign in, and in the console. */
export type Words = PersonWords & ManagementWords;

const read = createRequire(import.meta.url);
/** The package holds JavaScript (`packages/server`). */
const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";

const englishWords: Words = { ...english, ...managementWords };

const known = new Map<Language, PersonWords>([["en", englishWords]]);

/** What the operator says otherwise, by the code of the language. */
const replaced = new Map<string, OperatorWords["messages"]>();

/**
 * All that the pages say in one language, by subject. Those of another language than English are read at its
 * first page: each takes some megabytes.
 */
export function wordsOf(language: ManagementLanguage): Words;
export function wordsOf(language: Language): PersonWords;
export function wordsOf(language: Language): PersonWords {
  const made = known.get(language) ?? withReplaced(readWords(language), replaced.get(language));
  known.set(language, made);
  return made;
}

/**
 * Lets the pages of this process say the words of the operator, until the answer is called. A message that
 * they leave out is that of the language itself, of the one that it falls back to, or English.
 */
export function useOperatorWords(all: readonly OperatorWords[]): () => void {
  const undo = all.map(({ code, about, messages }) => {
    replaced.set(code, messages);
    return addLanguage(code, about);
  });
  known.clear();
  return () => {
    for (const each of undo) each();
    for (const { code } of all) replaced.delete(code);
    known.clear();
  };
}

function readWords(language: Language): PersonWords {
  if (language === "en") return englishWords;
  if (!isBuiltIn(language)) {
    const { falls_back_to } = aboutLanguage(language);
    return wordsOf(falls_back_to !== undefined && isLanguage(falls_back_to) ? falls_back_to : "en");
  }
  const { words } = read(`./${language}/catalogue.${extension}`) as { readonly words: PersonWords };
  if (managementLanguage(language) !== language) return words;
  const management = read(`./${language}/management.${extension}`) as {
    readonly managementWords: ManagementWords;
  };
  return { ...words, ...management.managementWords };
}

/** The words with some messages replaced, which were checked to be of the same kind as ours. */
function withReplaced<T extends object>(
  words: T,
  messages: OperatorWords["messages"] | undefined,
  path = "",
): T {
  if (messages === undefined) return words;
  return Object.fromEntries(
    Object.entries(words).map(([name, value]: [string, Message | object]) => {
      const place = path === "" ? name : `${path}.${name}`;
      return [
        name,
        typeof value === "object" ? withReplaced(value, messages, place) : (messages.get(place) ?? value),
      ];
    }),
  ) as T;
}
