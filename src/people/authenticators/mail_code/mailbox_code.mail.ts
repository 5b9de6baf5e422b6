import type { OwnFactorsWords } from "../../../web/words/en/own_factors.ts";
import { type MailReader, type MailText, mailOf } from "../../core/mail_text.view.ts";

export type MailboxCodeMail = MailReader & {
  readonly words: { readonly ownFactors: OwnFactorsWords };
  /** As people read it. */
  readonly code: string;
  /** What it allows: a first second factor, or another address. */
  readonly asks_for: "factor" | "email";
};

/** The code that proves a mailbox before a first second factor, or another address (MF-12). */
export function mailboxCodeMail({ words, language, server_name, code, asks_for }: MailboxCodeMail): MailText {
  const say = words.ownFactors.mailbox;
  return mailOf({
    language,
    subject: say.mailSubject(server_name),
    before: [words.password.mailGreeting, say.mailAsked[asks_for](server_name), code],
    after: [say.mailIgnore],
  });
}
