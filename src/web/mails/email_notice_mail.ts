import { momentText } from "../moment.ts";
import type { PasswordWords } from "../words/en/password.ts";
import type { Language } from "../words/language.ts";
import { type MailText, mailOf } from "./mail_text.ts";

export interface EmailNotice {
  readonly words: { readonly password: PasswordWords };
  readonly language: Language;
  /** The host of the server, by which people know it. */
  readonly server_name: string;
  readonly changed_at: Date;
}

/**
 * Tells the former address that the account has another one now, in case it was not its person who set it
 * (ASVS 6.3.7). The new one is left out: the reader of this mail may have no right to it.
 */
export function emailNoticeMail({ words, language, server_name, changed_at }: EmailNotice): MailText {
  const say = words.password;
  return mailOf({
    language,
    subject: say.emailNoticeSubject(server_name),
    before: [
      say.mailGreeting,
      say.emailNoticeChanged(server_name, momentText(changed_at, "minute", language)),
      say.noticeOwn,
      say.emailNoticeOther,
    ],
    after: [],
  });
}
