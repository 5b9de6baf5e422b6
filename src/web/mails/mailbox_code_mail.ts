import type { OwnFactorsWords } from "../words/en/own_factors.ts";
import { type MailReader, type MailText, mailOf } from "./mail_text.ts";

export type MailboxCodeMail = MailReader & {
  readonly words: { readonly ownFactors: OwnFactorsWords };
  /** As people read it. */
  readonly code: string;
};

/** The code that proves a mailbox before the first second factor is added (MF-12). */
export function mailboxCodeMail({ words, language, server_name, code }: MailboxCodeMail): MailText {
  const say = words.ownFactors.mailbox;
  return mailOf({
    language,
    subject: say.mailSubject(server_name),
    before: [words.password.mailGreeting, say.mailAsked(server_name), code],
    after: [say.mailIgnore],
  });
}
