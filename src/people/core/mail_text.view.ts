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
 * Dots in names such as `example.com`, which mail programs would turn into links. Some of them ignore marks,
 * and read symbols such as `ⓒ` as letters.
 */
const dots = /(?<=\S)[.\u3002\uff0e\uff61](?=[\p{L}\p{M}\p{So}])/gu;

/**
 * Returns a text that a user chose, as one line of at most `longestName` characters, without control and
 * direction characters and without links (P-6, docs/decisions/abuse-limits.md).
 */
export function nameInMail(name: string): string {
  const line = lineOf(
    lineOf(name)
      .replaceAll(/:?\/{2,}/g, " ")
      .replace(dots, "$& "),
  );
  const characters = [...line];
  return characters.length <= longestName ? line : `${characters.slice(0, longestName - 1).join("")}…`;
}

const usualAddress = /^[A-Za-z0-9]+(?:[.+_-][A-Za-z0-9]+)*@[\p{L}\p{N}.-]+$/u;

/**
 * Returns an email address, on which mail programs put a link to the address. They could take a part of an
 * unusual or shortened address for the URL of a page, so such an address is shown like a name (P-6).
 */
export function addressInMail(email: string): string {
  return email.length <= longestName && usualAddress.test(email) ? email : nameInMail(email);
}
