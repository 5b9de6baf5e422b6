/** The mail with the code that confirms something sensitive (SU-6). */
import type { SudoWords } from "../../../web/words/en/sudo.ts";
import { type MailReader, type MailText, mailOf } from "../../core/mail_text.view.ts";

export type SudoMail = Omit<MailReader, "words"> & {
  readonly words: MailReader["words"] & { readonly sudo: SudoWords };
  /** The code, as people read it. */
  readonly code: string;
  readonly minutes: number;
};

export function sudoMail({ words, language, server_name, code, minutes }: SudoMail): MailText {
  const { sudo, password } = words;
  return mailOf({
    language,
    subject: sudo.mailSubject(server_name),
    before: [password.mailGreeting, sudo.mailAsked(server_name), code],
    after: [sudo.mailMinutes(minutes), sudo.mailOther],
  });
}
