/** The mails that tell people of a change of how they sign in, in case it was not theirs (ASVS 6.3.7). */
import { momentText } from "../moment.ts";
import { type MailReader, type MailText, mailOf } from "./mail_text.ts";

export type Notice = MailReader & { readonly changed_at: Date };

/**
 * Tells the former address that the account has another one now. The new one is left out: the reader of this
 * mail may have no right to it.
 */
export function emailNoticeMail({ words, language, server_name, changed_at }: Notice): MailText {
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

export type PasswordNotice = Notice & {
  /** Where a forgotten password is replaced. */
  readonly forgot_href: string;
};

/** Tells a user that their password was changed. */
export function passwordNoticeMail({ forgot_href, ...notice }: PasswordNotice): MailText {
  const { words, language, server_name, changed_at } = notice;
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
