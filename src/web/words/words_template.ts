/** The messages of a language, as a file that an operator can change. */
import { words as english } from "./en/catalogue.ts";
import { type BuiltInLanguage, isBuiltIn, languageTag } from "./language.ts";
import { type Message, placeholdersOf } from "./parts/message.ts";
import { categoriesOf, formsOf } from "./parts/plural.ts";
import { wordsOf } from "./words.ts";

export interface WordsTemplate {
  readonly language?: { readonly name: string; readonly falls_back_to: string };
  readonly messages: object;
}

/**
 * Returns every message of a built-in language. For a new language, returns those of its fallback, with the
 * plural forms of the new language. Throws a RangeError for an invalid tag.
 */
export function wordsTemplate(code: string): WordsTemplate {
  if (isBuiltIn(code)) return { messages: messagesIn(code, languageTag(code)) };
  const [tag = code] = Intl.getCanonicalLocales(code);
  const [first = ""] = tag.split("-", 1);
  const falls_back_to: BuiltInLanguage = isBuiltIn(first) ? first : "en";
  const name = new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
  return { language: { name, falls_back_to }, messages: messagesIn(falls_back_to, tag) };
}

function messagesIn(language: BuiltInLanguage, tag: string): object {
  return textsOf(wordsOf(language), english, tag);
}

function textsOf(words: object, ours: object, tag: string): object {
  return Object.fromEntries(
    Object.entries(ours).map(([name, like]: [string, Message | object]) => {
      const value = words[name as keyof typeof words] as Message | object;
      return [
        name,
        typeof value === "object" ? textsOf(value, like as object, tag) : textOf(value, like as Message, tag),
      ];
    }),
  );
}

function textOf(message: Message, ours: Message, tag: string): string | object {
  if (typeof message === "string" || typeof ours === "string") return String(message);
  const forms = formsOf(message);
  if (forms !== undefined) {
    return Object.fromEntries(
      categoriesOf(tag).map((category) => [category, (forms[category] ?? forms.other)("{count}")]),
    );
  }
  return asText(message(...(placeholdersOf(ours).map((name) => `{${name}}`) as never[])));
}

const characters: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

function asText(said: string | object): string {
  if (typeof said === "string") return said;
  return String(said).replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity] ?? entity);
}
