import { type Html, html } from "../../web/html/html.ts";
import type { PasswordWords } from "../../web/words/en/password.ts";
import { directionOf, type Language, languageTag } from "../../web/words/language.ts";

export interface MailText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface MailReader {
  readonly words: { readonly password: PasswordWords };
  readonly language: Language;
  readonly server_name: string;
}

interface MailParts {
  readonly language: Language;
  readonly subject: string;
  readonly before: readonly string[];
  readonly link?: { readonly href: string; readonly label: string } | undefined;
  readonly after: readonly string[];
}

/**
 * Returns the email with these parts. The HTML also shows the URL as text, so the reader sees the link's
 * target.
 */
export function mailOf({ language, subject, before, link, after }: MailParts): MailText {
  return {
    subject,
    text: `${[...before, ...(link === undefined ? [] : [link.href]), ...after].join("\n\n")}\n`,
    html: String(html`<!doctype html>
<html lang="${languageTag(language)}" dir="${directionOf(language)}">
<head><meta charset="utf-8"><title>${subject}</title></head>
<body>
${paragraphs(before)}${
  link &&
  html`<p><a href="${link.href}">${link.label}</a></p>
<p>${link.href}</p>
`
}${paragraphs(after)}</body>
</html>
`),
  };
}

const paragraphs = (sentences: readonly string[]): Html =>
  html`${sentences.map((sentence) => html`<p>${sentence}</p>\n`)}`;

/** Maximum length of a name in an email, in characters (P-6). */
const longestName = 60;

const lineOf = (text: string) => text.replace(/[\p{C}\p{Z}]+/gu, " ").trim();

/**
 * Returns a text in one line of at most `longestName` characters, without control and direction characters.
 */
export function lineInMail(text: string): string {
  const characters = [...lineOf(text)];
  return characters.length <= longestName
    ? characters.join("")
    : `${characters.slice(0, longestName - 1).join("")}…`;
}

/** Dots in names such as `example.com`, which mail programs would turn into links. */
const dots = /(?<=\S)[.\u3002\uff0e\uff61](?=\p{L})/gu;

/** Returns a name that a user chose, as one line without links (P-6, docs/decisions/abuse-limits.md). */
export function nameInMail(name: string): string {
  return lineInMail(lineOf(name).replaceAll("://", " ").replace(dots, "$& "));
}
