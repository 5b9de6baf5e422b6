import type { DisabledReason } from "../../../records/names/webhooks.ts";
import { momentText } from "../../../web/moment.ts";
import type { NoticeWords } from "../../../web/words/en/notices.ts";
import { type MailReader, type MailText, mailOf, nameInMail } from "../mail_text.view.ts";

type EndpointMail = MailReader & {
  readonly words: { readonly notices: NoticeWords };
  readonly at: Date;
  readonly reason: DisabledReason;
  readonly organization_name: string | undefined;
  readonly position: number;
  readonly page_url: string;
};

export function endpointMail(mail: EndpointMail): MailText {
  const { words, language, server_name, at, reason, organization_name, position, page_url } = mail;
  const say = words.notices.endpoint;
  const owner = nameInMail(organization_name ?? server_name);
  return mailOf({
    language,
    subject: say.subject(owner),
    before: [
      words.password.mailGreeting,
      say[reason](owner, momentText(at, "minute", language)),
      say.kept(position),
    ],
    link: { href: page_url, label: say.link },
    after: [],
  });
}
