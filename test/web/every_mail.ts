import { emailChangeMail } from "../../src/people/account/email/email_change.mail.ts";
import { stolenLines } from "../../src/people/account/endings/stolen_lines.view.ts";
import {
  inactiveMail,
  otherMethodsMail,
  resetMail,
} from "../../src/people/authenticators/password/password.mail.ts";
import type { MailText } from "../../src/people/core/mail_text.view.ts";
import { codeMail } from "../../src/people/core/notices/code.mail.ts";
import { endpointMail } from "../../src/people/core/notices/endpoint.mail.ts";
import { invitationMail } from "../../src/people/core/notices/invitation.mail.ts";
import { noticeMail } from "../../src/people/core/notices/notice.mail.ts";
import {
  accountExistsMail,
  accountSwitchedOffMail,
  registrationMail,
} from "../../src/people/entry/registration.mail.ts";
import { mailCodeMail } from "../../src/people/providers/provider_mailbox.mail.ts";
import { noticeKinds } from "../../src/records/names/notices.ts";
import { disabledReasons } from "../../src/records/names/webhooks.ts";
import type { PersonWords } from "../../src/web/words/en/catalogue.ts";
import type { Language } from "../../src/web/words/language.ts";

interface MailLocale {
  readonly words: PersonWords;
  readonly language: Language;
  readonly server_name: string;
}

/** Returns each email by the function that makes it, with `chosen` as every text that a user chose. */
export function everyMail(
  locale: MailLocale,
  chosen: string,
  link: string,
): Readonly<Record<string, readonly MailText[]>> {
  const { notices, impact } = locale.words;
  const code = "1234 5678";
  const at = new Date(0);
  const ended = [{ kind: "sessions", count: 7, names: [chosen] }] as const;
  const notes = [
    { origin: { client_ip: null, user_agent: chosen }, name: chosen, codes_left: 7 },
    {
      more: stolenLines(ended, impact),
      not_me: { lead: notices.notMe, href: link, label: notices.notMeLink },
    },
  ];
  const ways = { passkey: true, providers: [chosen] };
  return {
    resetMail: [resetMail({ ...locale, link, minutes: 30 })],
    inactiveMail: [inactiveMail(locale)],
    otherMethodsMail: [otherMethodsMail({ ...locale, ways, sign_in_href: link })],
    emailChangeMail: [emailChangeMail({ ...locale, link, minutes: 60 })],
    noticeMail: noticeKinds.flatMap((kind) =>
      notes.map((note) => noticeMail({ ...locale, kind, at, ...note })),
    ),
    mailCodeMail: [mailCodeMail({ ...locale, provider: chosen, code, minutes: 10 })],
    codeMail: (["lost_factors", "sudo", "factor", "email", "recovery", "removal"] as const).map(
      (code_purpose) => codeMail({ ...locale, code_purpose, code, minutes: 10 }),
    ),
    registrationMail: [registrationMail({ ...locale, link, code, minutes: 30 })],
    accountExistsMail: [accountExistsMail({ ...locale, sign_in_href: link, forgot_href: link })],
    accountSwitchedOffMail: [accountSwitchedOffMail(locale)],
    endpointMail: disabledReasons.map((reason) =>
      endpointMail({ ...locale, page_url: link, reason, at, organization_name: chosen, position: 7 }),
    ),
    invitationMail: (["owner", "admin", "developer", "member"] as const).map((role) =>
      invitationMail({
        ...{ ...locale, role, link },
        ...{ further_roles: [chosen], inviter_email: chosen, organization_name: chosen, days: 7 },
      }),
    ),
  };
}
