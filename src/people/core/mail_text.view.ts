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

/**
 * Returns a name that a user chose, for themselves or an organization, in a form that is safe in an email.
 * The result is one line of at most `longestName` characters, without control and direction characters. It
 * contains neither `://` nor `www.`, with which mail programs recognize links
 * (docs/decisions/abuse-limits.md).
 */
export function nameInMail(name: string): string {
  const line = withoutLinks(name.replace(/[\p{C}\p{Z}]+/gu, " "))
    .replace(/ +/g, " ")
    .trim();
  const characters = [...line];
  return characters.length <= longestName ? line : `${characters.slice(0, longestName - 1).join("")}…`;
}

/** Replaces each `://` and `www.` with a space. */
function withoutLinks(text: string): string {
  const less = text.replace(/:\/\/|www\./gi, " ");
  return less === text ? text : withoutLinks(less);
}
