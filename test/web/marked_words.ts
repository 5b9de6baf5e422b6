import { signingAlgorithms } from "../../src/records/names/names.ts";
import { html, type Printable } from "../../src/web/html/html.ts";
import { aboutLanguage, languages } from "../../src/web/words/language.ts";
import { readHtml } from "./read_html.ts";

/** Returns the same words with each text between ⟦ and ⟧, so that a page shows which text came from them. */
export function markedWords<T>(words: T): T {
  return marked(words) as T;
}

function marked(value: unknown): unknown {
  if (typeof value === "string") return `⟦${value}⟧`;
  if (typeof value === "function") {
    return (...input: unknown[]) => {
      const said: unknown = value(...input);
      return typeof said === "string" ? `⟦${said}⟧` : html`⟦${said as Printable}⟧`;
    };
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, marked(member)]));
}

/**
 * Returns the letters outside the marks on a page made from marked words, in its text and in attributes that
 * are read aloud. It skips wire values (`code`, `pre`), localized dates and figures (`time`, `data`, the
 * `text` of a plot), scripts, the product's name, UTC, algorithms and the names of languages.
 */
export function bareText(page: string): string[] {
  const { tags, text } = readHtml(page.replace(/<(code|pre|time|data|text|script)\b[\s\S]*?<\/\1>/g, " "));
  const attributes = tags.flatMap((tag) =>
    ["aria-label", "aria-description", "alt", "title", "placeholder", "label"].flatMap(
      (name) => tag.attributes.get(name) ?? [],
    ),
  );
  return [text, ...attributes].flatMap((said) => withoutMarked(said).match(/[\p{L}][\p{L}'’ -]*/gu) ?? []);
}

function withoutMarked(text: string): string {
  let rest = text;
  for (let before = ""; before !== rest; ) {
    before = rest;
    rest = rest.replace(/⟦[^⟦⟧]*⟧/g, " ");
  }
  for (const name of [
    "Postern",
    "UTC",
    ...signingAlgorithms,
    ...languages.map((language) => aboutLanguage(language).name),
  ])
    rest = rest.replaceAll(name, " ");
  return rest;
}
