import type { RecoveryWords } from "../words/en/recovery.ts";
import { type MailReader, type MailText, mailOf } from "./mail_text.ts";

export type RecoveryCodeMail = Omit<MailReader, "words"> & {
  readonly words: MailReader["words"] & { readonly recovery: RecoveryWords };
  /** As people read it. */
  readonly code: string;
};

/** The code that proves the mailbox before lost second factors are recovered (MF-10). */
export function recoveryCodeMail({ words, language, server_name, code }: RecoveryCodeMail): MailText {
  const { code: say } = words.recovery;
  return mailOf({
    language,
    subject: say.subject(server_name),
    before: [words.password.mailGreeting, say.says(server_name), code],
    after: [say.caution],
  });
}
