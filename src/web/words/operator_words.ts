/**
 * Messages that an operator provides in a file (docs/decisions/languages.md). They are plain text with named
 * placeholders and are never executed.
 */

import { words as english } from "./en/catalogue.ts";
import {
  aboutLanguage,
  type BuiltInLanguage,
  isBuiltIn,
  type Language,
  languageOr,
  languages,
  type OperatorLanguage,
} from "./language.ts";
import type { AboutLanguage } from "./parts/about_language.ts";
import { type Message, messagesOf, placeholdersOf } from "./parts/message.ts";
import { categoriesOf, formsOf, pluralsOf } from "./parts/plural.ts";
import { errorsOfText, filledHtml, filledText, templateOf } from "./parts/template.ts";

export interface WordsError {
  /** Such as `messages.login.title`; empty for the whole file. */
  readonly path: string;
  readonly sentence: string;
}

export type OperatorWords = Omit<OperatorLanguage, "stands_in">;

const paths = messagesOf(english).map(([path]) => path);

export const messageCount = paths.length;

/** Returns the languages of a server with these messages, in the order of the language menu. */
export function languagesWith(all: readonly OperatorWords[]): readonly Language[] {
  const ours = languages.map((code): Language => {
    const words = all.find((each) => each.code === code);
    return words === undefined ? code : { ...words, stands_in: code };
  });
  const added = all.filter(({ code }) => !isBuiltIn(code));
  return [
    ...ours,
    ...added.map((words) => ({ ...words, stands_in: languageOr(words.about.falls_back_to, ours) })),
  ];
}

/** Returns the paths of the messages that a file omits. */
export function missingMessages({ messages }: Pick<OperatorWords, "messages">): string[] {
  return paths.filter((path) => !messages.has(path));
}

/** A language tag (BCP 47) with an optional script and region; it fits in the column `users.language`. */
const codeForm = /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?$/;

const longestName = 60;

/** Returns the messages of a messages file, or all errors in it. */
export function readOperatorWords(code: string, content: unknown): OperatorWords | WordsError[] {
  const ofCode = errorOfCode(code);
  if (ofCode !== undefined) return [{ path: "", sentence: ofCode }];
  if (!isObject(content)) return [{ path: "", sentence: "must be an object with messages" }];
  const errors: WordsError[] = Object.keys(content)
    .filter((name) => name !== "language" && name !== "messages")
    .map((path) => ({ path, sentence: "is unknown: a file contains language and messages" }));
  const about = readAbout(code, content.language ?? {}, errors);
  const messages = new Map<string, Message>();
  readMessages(english, content.messages ?? {}, "messages", { tag: about.tag, messages, errors });
  return errors.length > 0 ? errors : { code, about, messages };
}

function errorOfCode(code: string): string | undefined {
  if (!codeForm.test(code))
    return "must be named by a language, optionally with a script or a region, such as nl, sr-Latn or es-MX";
  const spoken = languages.find((each) => each !== code && aboutLanguage(each).tag === code);
  if (spoken !== undefined) return `is the language ${spoken} here: name the file after it`;
  const [canonical = ""] = Intl.getCanonicalLocales(code);
  return canonical === code ? undefined : `must be named ${canonical}`;
}

function fallbackOf(code: string, given: unknown): BuiltInLanguage {
  const [first = ""] = code.split("-", 1);
  return [given, first].find((each): each is BuiltInLanguage => isBuiltIn(each)) ?? "en";
}

function readAbout(code: string, given: unknown, errors: WordsError[]): AboutLanguage {
  const report = (name: string, sentence: string) => errors.push({ path: `language${name}`, sentence });
  if (!isObject(given)) {
    report("", "must be an object with name and falls_back_to");
    return { name: code, tag: code };
  }
  const { name, falls_back_to, ...others } = given;
  for (const other of Object.keys(others))
    report(`.${other}`, "is unknown: the members are name and falls_back_to");
  if (name !== undefined || !isBuiltIn(code)) {
    if (name === undefined) report(".name", "is required: the name of the language in the language itself");
    else if (errorsOfText(name, []).length > 0 || String(name).length > longestName)
      report(".name", `must be text of 1 to ${longestName} characters`);
  }
  if (isBuiltIn(code)) {
    if (falls_back_to !== undefined)
      report(".falls_back_to", "is only for new languages: this one has every message");
    return { ...aboutLanguage(code), ...(name !== undefined && { name: String(name) }) };
  }
  if (falls_back_to !== undefined && !isBuiltIn(falls_back_to))
    report(".falls_back_to", `must be one of ${languages.join(", ")}`);
  return { name: String(name), tag: code, falls_back_to: fallbackOf(code, falls_back_to) };
}

interface Reading {
  readonly tag: string;
  readonly messages: Map<string, Message>;
  readonly errors: WordsError[];
}

function readMessages(known: object, given: unknown, path: string, reading: Reading): void {
  if (!isObject(given)) {
    reading.errors.push({ path, sentence: "must be an object of messages" });
    return;
  }
  for (const [name, value] of Object.entries(given)) {
    const place = `${path}.${name}`;
    const ours: unknown = Object.hasOwn(known, name) ? known[name as keyof typeof known] : undefined;
    if (ours === undefined) reading.errors.push({ path: place, sentence: "is not a known message" });
    else if (isObject(ours)) readMessages(ours, value, place, reading);
    else readMessage(ours as Message, value, place, reading);
  }
}

function readMessage(ours: Message, given: unknown, path: string, { tag, messages, errors }: Reading): void {
  const before = errors.length;
  const check = (text: unknown, place: string, ...names: [string[], string[]?]) => {
    errors.push(...errorsOfText(text, ...names).map((sentence) => ({ path: place, sentence })));
    return templateOf(String(text));
  };
  const made = (): Message => {
    if (typeof ours === "string") {
      check(given, path, []);
      return String(given);
    }
    if (formsOf(ours) !== undefined) return readPlural(given, path, tag, errors);
    const names = placeholdersOf(ours);
    const template = check(given, path, names);
    const named = <T>(values: readonly T[]) =>
      Object.fromEntries(names.map((name, index) => [name, values[index] as T]));
    // A message may contain markup only if the English message does.
    const example = ours(...(names as never[]));
    return typeof example === "string"
      ? (...values: string[]) => filledText(template, named(values))
      : (...values: string[]) => filledHtml(template, named(values));
  };
  const message = made();
  if (errors.length === before) messages.set(path.replace(/^messages\./, ""), message);
}

function readPlural(given: unknown, path: string, tag: string, errors: WordsError[]): Message {
  const categories = categoriesOf(tag);
  const wanted = categories.join(", ");
  if (!isObject(given)) {
    errors.push({ path, sentence: `must be an object with the plural forms ${wanted}` });
    return "";
  }
  for (const name of Object.keys(given)) {
    if (categories.every((each) => each !== name))
      errors.push({
        path: `${path}.${name}`,
        sentence: `is not a plural form of ${tag}, which has ${wanted}`,
      });
  }
  const forms = categories.map((category) => {
    const place = `${path}.${category}`;
    const text = given[category];
    if (text === undefined) {
      errors.push({ path: place, sentence: `is missing: ${tag} has the plural forms ${wanted}` });
      return [category, () => ""] as const;
    }
    // A plural form such as "One minute" needs no number.
    const optional = category === "other" ? [] : ["count"];
    const sentences = errorsOfText(text, ["count"], optional);
    errors.push(...sentences.map((sentence) => ({ path: place, sentence })));
    const template = templateOf(String(text));
    return [category, (count: string) => filledText(template, { count })] as const;
  });
  return pluralsOf(tag, categories)(Object.fromEntries(forms) as Parameters<ReturnType<typeof pluralsOf>>[0]);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
