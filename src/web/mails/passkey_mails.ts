/** The mails that tell people of a change of their passkeys, in case it was not theirs (PK-5, PK-11). */
import { momentText } from "../moment.ts";
import type { PasskeyWords } from "../words/en/passkeys.ts";
import { type MailReader, type MailText, mailOf } from "./mail_text.ts";

export type PasskeyNotice = MailReader & {
  readonly words: { readonly passkeys: PasskeyWords };
  readonly happened: "added" | "removed" | "counter";
  /** What the user calls it. */
  readonly name: string;
  readonly at: Date;
  /** The browser in which it was; absent where it is not known. */
  readonly device?: string | undefined;
  /** The page with the user's passkeys. */
  readonly passkeys_href: string;
};

/** Tells a user that a passkey was added or removed, or that it may have been copied. */
export function passkeyMail(notice: PasskeyNotice): MailText {
  const { words, language, server_name, happened, name, at, device, passkeys_href } = notice;
  const say = words.passkeys.mail;
  return mailOf({
    language,
    subject: say[`${happened}Subject`](server_name),
    before: [
      words.password.mailGreeting,
      say[happened](server_name, name, momentText(at, "minute", language)),
      ...(device === undefined ? [] : [say.device(device)]),
      say.own,
      say.other,
    ],
    link: { href: passkeys_href, label: say.link },
    after: [],
  });
}
