import { type Html, html } from "../../html/html.ts";

export type Template = readonly (string | { readonly placeholder: string })[];

const longest = 2000;

export function templateOf(text: string): Template {
  return text
    .split(/(\{\w+\})/)
    .filter((piece) => piece !== "")
    .map((piece) => (/^\{\w+\}$/.test(piece) ? { placeholder: piece.slice(1, -1) } : piece));
}

/**
 * Checks `text` as a message template with these placeholders, and returns its errors. The placeholders in
 * `optional` may be omitted.
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
      typeof piece === "string" && /[{}]/.test(piece) ? ["has a brace outside of a placeholder"] : [],
    ),
    ...[...given]
      .filter((name) => !placeholders.includes(name))
      .map((name) => `{${name}} is not a placeholder of this message, which has ${known}`),
    ...placeholders
      .filter((name) => !given.has(name) && !optional.includes(name))
      .map((name) => `lacks the placeholder {${name}}`),
  ];
}

export function filledText(template: Template, given: Readonly<Record<string, string>>): string {
  return template.map((piece) => (typeof piece === "string" ? piece : given[piece.placeholder])).join("");
}

/** Returns the message as markup, in which everything except `Html` is escaped. */
export function filledHtml(template: Template, given: Readonly<Record<string, string | Html>>): Html {
  return html`${template.map((piece) => (typeof piece === "string" ? piece : given[piece.placeholder]))}`;
}
