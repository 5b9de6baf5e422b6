import { type Html, html } from "../../html/html.ts";

/** A text with placeholders, cut at them. */
export type Template = readonly (string | { readonly placeholder: string })[];

/** Characters of a text. */
const longest = 2000;

/** Cuts a text at its `{placeholders}`. */
export function templateOf(text: string): Template {
  return text
    .split(/(\{\w+\})/)
    .filter((piece) => piece !== "")
    .map((piece) => (/^\{\w+\}$/.test(piece) ? { placeholder: piece.slice(1, -1) } : piece));
}

/**
 * What keeps a text from being used for a message with these placeholders; empty where nothing does. Those in
 * `optional` may be left out.
 */
export function errorsOfText(
  text: unknown,
  placeholders: readonly string[],
  optional: readonly string[] = [],
): string[] {
  if (typeof text !== "string") return ["must be text"];
  if (text.trim() === "") return ["must not be empty"];
  if (text.trim() !== text) return ["must not have spaces around it"];
  if (text.length > longest) return [`must have at most ${longest} characters`];
  if (/\p{Cc}/u.test(text)) return ["must be one line without control characters"];
  if (/<\/?[a-z!]|&(?:#\w+|[a-z]+);/i.test(text))
    return ["must be plain text: markup would be shown as it is"];
  const template = templateOf(text);
  const given = new Set(template.flatMap((piece) => (typeof piece === "string" ? [] : [piece.placeholder])));
  const known = placeholders.map((name) => `{${name}}`).join(", ") || "none";
  return [
    ...template.flatMap((piece) =>
      typeof piece === "string" && /[{}]/.test(piece) ? ["has a brace that belongs to no placeholder"] : [],
    ),
    ...[...given]
      .filter((name) => !placeholders.includes(name))
      .map((name) => `{${name}} is no placeholder of this message: it has ${known}`),
    ...placeholders
      .filter((name) => !given.has(name) && !optional.includes(name))
      .map((name) => `lacks the placeholder {${name}}`),
  ];
}

/** The text with its placeholders filled in; what is filled in is printed as it is. */
export function filledText(template: Template, given: Readonly<Record<string, string>>): string {
  return template.map((piece) => (typeof piece === "string" ? piece : given[piece.placeholder])).join("");
}

/** The text as markup: text is escaped, and so is what is filled in unless it is markup itself. */
export function filledHtml(template: Template, given: Readonly<Record<string, string | Html>>): Html {
  return html`${template.map((piece) => (typeof piece === "string" ? piece : given[piece.placeholder]))}`;
}
