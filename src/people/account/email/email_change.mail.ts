import type { OwnAccountWords } from "../../../web/words/en/own_account.ts";
import { type MailReader, type MailText, mailOf } from "../../core/mail_text.view.ts";

type EmailChangeMail = MailReader & {
  readonly words: { readonly ownAccount: OwnAccountWords };
  readonly link: string;
  readonly minutes: number;
};

/**
 * Returns the email to a new email address. It reveals nothing about the account, because the address may
 * belong to another person.
 */
export function emailChangeMail({ words, language, server_name, link, minutes }: EmailChangeMail): MailText {
  const say = words.ownAccount.email;
  return mailOf({
    language,
    subject: say.mailSubject(server_name),
    before: [words.password.mailGreeting, say.mailAsked(server_name)],
    link: { href: link, label: say.mailButton },
    after: [say.mailFor(minutes), say.mailIgnore],
  });
}
