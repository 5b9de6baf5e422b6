import { createRequire } from "node:module";
import { perKey, perObject } from "../../lazily.ts";
import { words as english, type PersonWords } from "./en/catalogue.ts";
import { type ManagementWords, managementWords } from "./en/management.ts";
import {
  type BuiltInLanguage,
  hasManagement,
  type Language,
  type ManagementLanguage,
  type OperatorLanguage,
} from "./language.ts";
import type { Message } from "./parts/message.ts";

export type { PersonWords };

export type Words = PersonWords & ManagementWords;

const read = createRequire(import.meta.url);
/** The npm package contains JavaScript instead of TypeScript (`packages/server`). */
const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";

const englishWords: Words = { ...english, ...managementWords };

const builtInWords = perKey(readWords);

const operatorWords = perObject(({ stands_in, messages }: OperatorLanguage) =>
  withReplaced(wordsOf(stands_in), messages),
);

/**
 * Returns all messages of pages in one language, by subject. Languages other than English are loaded when
 * first used, because each takes some megabytes.
 */
export function wordsOf(language: ManagementLanguage): Words;
export function wordsOf(language: Language): PersonWords;
export function wordsOf(language: Language): PersonWords {
  return typeof language === "string" ? builtInWords(language) : operatorWords(language);
}

function readWords(language: BuiltInLanguage): PersonWords {
  if (language === "en") return englishWords;
  const { words } = read(`./${language}/catalogue.${extension}`) as { readonly words: PersonWords };
  if (!hasManagement(language)) return words;
  const management = read(`./${language}/management.${extension}`) as {
    readonly managementWords: ManagementWords;
  };
  return { ...words, ...management.managementWords };
}

/** `readOperatorWords` has checked that each replacement takes the same placeholders. */
function withReplaced<T extends object>(words: T, messages: OperatorLanguage["messages"], path = ""): T {
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
