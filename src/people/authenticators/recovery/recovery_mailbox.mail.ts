import type { LostPasskeyWords } from "../../../web/words/en/lost_passkey.ts";
import type { RecoveryWords } from "../../../web/words/en/recovery.ts";
import { type MailReader, type MailText, mailOf } from "../../core/mail_text.view.ts";

export type RecoveryMailboxMail = Omit<MailReader, "words"> & {
  readonly words: MailReader["words"] & {
    readonly recovery: RecoveryWords;
    readonly lostPasskey: LostPasskeyWords;
  };
  /** What the person says that they lost. */
  readonly lost: "factors" | "passkeys";
  /** As people read it. */
  readonly code: string;
};

/** The code that proves the mailbox before lost second factors are recovered (MF-10, MF-15). */
export function recoveryMailboxMail({
  words,
  language,
  server_name,
  code,
  lost,
}: RecoveryMailboxMail): MailText {
  const { code: say } = words.recovery;
  const says = lost === "passkeys" ? words.lostPasskey.codeSays : say.says;
  return mailOf({
    language,
    subject: say.subject(server_name),
    before: [words.password.mailGreeting, says(server_name), code],
    after: [say.caution],
  });
}
