/** The mails about forgotten passwords: plain text, and the same as simple HTML. */
import { type Html, html } from "./html.ts";
import { type Language, languageTags } from "./words/language.ts";
import type { PasswordWords } from "./words/password.ts";

export interface PasswordMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface MailReader {
  readonly words: { readonly password: PasswordWords };
  readonly language: Language;
}

export type ResetMail = MailReader & {
  /** The address of the page that sets the password, with its token. */
  readonly link: string;
  /** The host of the server, by which people know it. */
  readonly server_name: string;
  readonly minutes: number;
};

/** The mail with the link. It names nobody: a name is whatever somebody once chose to write there. */
export function resetMail({ words, language, link, server_name, minutes }: ResetMail): PasswordMail {
  const say = words.password;
  const subject = say.mailSubject(server_name);
  const before = [say.mailGreeting, say.mailAsked(server_name)];
  const after = [say.mailOnce(minutes), say.mailIgnore];
  return {
    subject,
    text: textOf([...before, link, ...after]),
    html: documentOf(
      subject,
      language,
      html`${paragraphs(before)}
<p><a href="${link}">${say.mailButton}</a></p>
<p>${link}</p>
${paragraphs(after)}`,
    ),
  };
}

export type NoWayMail = MailReader & {
  /** Why there is no link. */
  readonly reason: "inactive" | "no_password";
  readonly server_name: string;
};

/** The mail to somebody whose account has no password to set, so that they do not wait for a link. */
export function noWayMail({ words, language, reason, server_name }: NoWayMail): PasswordMail {
  const say = words.password;
  const subject = say.mailNoWaySubject(server_name);
  const why = reason === "inactive" ? say.mailInactive : say.mailNoPassword;
  const sentences = [say.mailGreeting, why(server_name), say.mailNothingToDo];
  return {
    subject,
    text: textOf(sentences),
    html: documentOf(subject, language, paragraphs(sentences)),
  };
}

const textOf = (parts: readonly string[]): string => `${parts.join("\n\n")}\n`;

const paragraphs = (sentences: readonly string[]): Html =>
  html`${sentences.map((sentence) => html`<p>${sentence}</p>\n`)}`;

function documentOf(title: string, language: Language, body: Html): string {
  return String(html`<!doctype html>
<html lang="${languageTags[language]}">
<head><meta charset="utf-8"><title>${title}</title></head>
<body>
${body}
</body>
</html>
`);
}
