/**
 * Emails that report an event in `noticeKinds` to the user, in case it was unauthorized (ASVS 6.3.7, SS-8).
 */
import type { NoticeKind } from "../../../records/names/notices.ts";
import { momentText } from "../../../web/moment.ts";
import type { NoticeWords } from "../../../web/words/en/notices.ts";
import type { PasswordWords } from "../../../web/words/en/password.ts";
import { type MailReader, type MailText, mailOf, nameInMail } from "../mail_text.view.ts";
import { deviceOf } from "./device.view.ts";

export type NoticeMail = MailReader & {
  readonly words: { readonly password: PasswordWords; readonly notices: NoticeWords };
  readonly kind: NoticeKind;
  readonly at: Date;
  readonly name?: string | undefined;
  readonly codes_left?: number | undefined;
  readonly origin?: { readonly client_ip: string | null; readonly user_agent: string | null } | undefined;
  readonly more?: readonly string[] | undefined;
  readonly not_me?: { readonly lead: string; readonly href: string; readonly label: string } | undefined;
};

interface KindWords {
  readonly subject: (server: string) => string;
  readonly says: (server: string, time: string, name: string) => string;
}

export function noticeMail(notice: NoticeMail): MailText {
  const { words, language, server_name, kind, at, name = "", codes_left, origin, more = [], not_me } = notice;
  const say = words.notices;
  const { subject, says }: KindWords = say.kinds[kind];
  const time = momentText(at, "minute", language);
  return mailOf({
    language,
    subject: subject(server_name),
    before: [
      words.password.mailGreeting,
      says(server_name, time, nameInMail(name)),
      ...(codes_left === undefined ? [] : [say.codesLeft(codes_left)]),
      ...(origin === undefined ? [] : [deviceLine(origin, say)]),
      ...more,
      say.own,
      not_me === undefined ? say.tellAdministrator : not_me.lead,
    ],
    link: not_me,
    after: [],
  });
}

function deviceLine({ client_ip, user_agent }: NonNullable<NoticeMail["origin"]>, say: NoticeWords): string {
  const { browser, system } = deviceOf(user_agent);
  const both = browser !== undefined && system !== undefined ? say.onSystem(browser, system) : undefined;
  return say.device(both ?? browser ?? system ?? say.unknownDevice, client_ip ?? say.unknownAddress);
}
