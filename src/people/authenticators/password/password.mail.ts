import { type MailReader, type MailText, mailOf, nameInMail } from "../../core/mail_text.view.ts";

type ResetMail = MailReader & {
  readonly link: string;
  readonly minutes: number;
};

/** Returns the email with the link to set a new password. It omits the user's name, which can be any text. */
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

/** Returns the email to a user whose account is inactive, who would otherwise wait for a link. */
export function inactiveMail({ words, language, server_name }: MailReader): MailText {
  const say = words.password;
  return mailOf({
    language,
    subject: say.mailNoWaySubject(server_name),
    before: [say.mailGreeting, say.mailInactive(server_name)],
    after: [say.mailNothingToDo],
  });
}

type OtherMethodsMail = MailReader & {
  readonly ways: { readonly passkey: boolean; readonly providers: readonly string[] };
  readonly sign_in_href: string;
};

/** Returns the email to a user without a password, with the user's sign-in methods (SS-13). */
export function otherMethodsMail({
  words,
  language,
  ways,
  sign_in_href,
  server_name,
}: OtherMethodsMail): MailText {
  const say = words.password;
  return mailOf({
    language,
    subject: say.mailNoWaySubject(server_name),
    before: [
      say.mailGreeting,
      say.mailNoPassword(server_name),
      ...(ways.passkey ? [say.mailByPasskey] : []),
      ...ways.providers.map((name) => say.mailByProvider(nameInMail(name))),
    ],
    link: { href: sign_in_href, label: say.signIn },
    after: [say.mailSetLater, say.mailNothingToDo],
  });
}
