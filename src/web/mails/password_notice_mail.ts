import { momentText } from "../moment.ts";
import type { PasswordWords } from "../words/en/password.ts";
import type { Language } from "../words/language.ts";
import { type MailText, mailOf } from "./mail_text.ts";

export type PasswordNotice = {
  readonly words: { readonly password: PasswordWords };
  readonly language: Language;
  /** The host of the server, by which people know it. */
  readonly server_name: string;
  readonly changed_at: Date;
  /** Where a forgotten password is replaced. */
  readonly forgot_href: string;
};

/** Tells a user that their password was changed, in case they did not change it (ASVS 6.3.7). */
export function passwordNoticeMail({
  words,
  language,
  server_name,
  changed_at,
  forgot_href,
}: PasswordNotice): MailText {
  const say = words.password;
  return mailOf({
    language,
    subject: say.noticeSubject(server_name),
    before: [
      say.mailGreeting,
      say.noticeChanged(server_name, momentText(changed_at, "minute", language)),
      say.noticeOwn,
      say.noticeOther,
    ],
    link: { href: forgot_href, label: say.forgotLink },
    after: [],
  });
}
