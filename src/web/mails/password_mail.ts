/** The mails about forgotten passwords. */

import { type MailReader, type MailText, mailOf } from "./mail_text.ts";

export type ResetMail = MailReader & {
  /** The address of the page that sets the password, with its token. */
  readonly link: string;
  readonly minutes: number;
};

/** The mail with the link. It names no person: a name is free text. */
export function resetMail({ words, language, link, server_name, minutes }: ResetMail): MailText {
  const say = words.password;
  return mailOf({
    language,
    subject: say.mailSubject(server_name),
    before: [say.mailGreeting, say.mailAsked(server_name)],
    link: { href: link, label: say.mailButton },
    after: [say.mailOnce(minutes), say.mailIgnore],
  });
}

export type NoWayMail = MailReader & {
  /** Why there is no link. */
  readonly reason: "inactive" | "no_password";
};

/** The mail to a user whose account has no password to set, so that they do not wait for a link. */
export function noWayMail({ words, language, reason, server_name }: NoWayMail): MailText {
  const say = words.password;
  const why = reason === "inactive" ? say.mailInactive : say.mailNoPassword;
  return mailOf({
    language,
    subject: say.mailNoWaySubject(server_name),
    before: [say.mailGreeting, why(server_name)],
    after: [say.mailNothingToDo],
  });
}
