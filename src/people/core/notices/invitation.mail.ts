import type { InvitationWords } from "../../../web/words/en/invitation.ts";
import { addressInMail, type MailReader, type MailText, mailOf, nameInMail } from "../mail_text.view.ts";

type InvitationMail = MailReader & {
  readonly words: { readonly invitation: InvitationWords };
  readonly inviter_email: string;
  readonly organization_name: string;
  readonly role: keyof InvitationWords["roles"];
  readonly further_roles: readonly string[];
  readonly link: string;
  readonly days: number;
};

export function invitationMail(mail: InvitationMail): MailText {
  const { words, language, server_name, inviter_email, role, link, days } = mail;
  const say = words.invitation;
  const organization = nameInMail(mail.organization_name);
  return mailOf({
    language,
    subject: say.mailSubject(organization),
    before: [
      words.password.mailGreeting,
      say.mailInvites(addressInMail(inviter_email), organization, server_name),
      say.mailRole([say.roles[role].name, ...mail.further_roles.map(nameInMail)].join(", ")),
    ],
    link: { href: link, label: say.mailButton },
    after: [say.mailOnce(days), say.mailIgnore],
  });
}
