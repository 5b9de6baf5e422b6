import type { PersonWords } from "../../../web/words/en/catalogue.ts";
import type { Language } from "../../../web/words/language.ts";
import { type MailText, mailOf } from "../mail_text.view.ts";

/**
 * `lost_factors`, `recovery` and `removal` are about lost factors (MF-10, MF-15). `factor` and `email` are
 * for a new device (MF-12), and `sudo` is for a sensitive action (SU-6).
 */
export type CodePurpose = "lost_factors" | "sudo" | "factor" | "email" | "recovery" | "removal";

interface CodeMail {
  readonly words: PersonWords;
  readonly language: Language;
  readonly server_name: string;
  readonly code_purpose: CodePurpose;
  readonly code: string;
  readonly minutes: number;
}

export function codeMail({ words, language, server_name, code_purpose, code, minutes }: CodeMail): MailText {
  const { subject, says, shown = code, after } = textsOf(code_purpose, words, server_name, code, minutes);
  return mailOf({ language, subject, before: [words.password.mailGreeting, says, shown], after });
}

function textsOf(
  code_purpose: CodePurpose,
  { lostFactors, sudo, ownFactors, recovery, lostPasskey }: PersonWords,
  server: string,
  code: string,
  minutes: number,
): { subject: string; says: string; shown?: string; after: readonly string[] } {
  switch (code_purpose) {
    case "lost_factors": {
      const { subject, says, code: shown, caution } = lostFactors.mail;
      return { subject: subject(server), says: says(server), shown: shown(code), after: [caution] };
    }
    case "sudo": {
      const after = [sudo.mailMinutes(minutes), sudo.mailOther];
      return { subject: sudo.mailSubject(server), says: sudo.mailAsked(server), after };
    }
    case "factor":
    case "email": {
      const { mailSubject, mailAsked, mailIgnore } = ownFactors.mailbox;
      return { subject: mailSubject(server), says: mailAsked[code_purpose](server), after: [mailIgnore] };
    }
    case "recovery":
    case "removal": {
      const { subject, says, caution } = recovery.code;
      const requested = code_purpose === "removal" ? lostPasskey.codeSays : says;
      return { subject: subject(server), says: requested(server), after: [caution] };
    }
    default:
      return code_purpose satisfies never;
  }
}
