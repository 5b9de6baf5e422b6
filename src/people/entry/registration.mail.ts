import type { SignUpWords } from "../../web/words/en/sign_up.ts";
import { type MailReader, type MailText, mailOf } from "../core/mail_text.view.ts";

type Reader = Omit<MailReader, "words"> & {
  readonly words: MailReader["words"] & { readonly signUp: SignUpWords };
};

type RegistrationMail = Reader & {
  readonly link: string;
  readonly code: string;
  readonly minutes: number;
};

export function registrationMail({ words, language, server_name, ...mail }: RegistrationMail): MailText {
  const say = words.signUp;
  return mailOf({
    language,
    subject: say.mailSubject(server_name),
    before: [words.password.mailGreeting, say.mailAsked(server_name)],
    link: { href: mail.link, label: say.mailButton },
    after: [say.mailCode(mail.code), say.mailOnce(mail.minutes), say.mailIgnore],
  });
}

type AccountExistsMail = Reader & {
  readonly sign_in_href: string;
  readonly forgot_href: string;
};

/** Returns the email to a user who already has an account. */
export function accountExistsMail({ words, language, server_name, ...mail }: AccountExistsMail): MailText {
  const { signUp: say, password } = words;
  return mailOf({
    language,
    subject: password.mailNoWaySubject(server_name),
    before: [password.mailGreeting, say.mailExists(server_name)],
    link: { href: mail.sign_in_href, label: password.signIn },
    after: [say.mailForgot, mail.forgot_href, password.mailNothingToDo],
  });
}

export function accountSwitchedOffMail({ words, language, server_name }: Reader): MailText {
  const { signUp: say, password } = words;
  return mailOf({
    language,
    subject: password.mailNoWaySubject(server_name),
    before: [password.mailGreeting, say.mailInactive(server_name)],
    after: [password.mailNothingToDo],
  });
}
