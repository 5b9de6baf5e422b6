import type { LostFactorsWords } from "../../../web/words/en/lost_factors.ts";
import { type MailReader, type MailText, mailOf } from "../../core/mail_text.view.ts";

export type LostFactorsMail = Omit<MailReader, "words"> & {
  readonly words: MailReader["words"] & { readonly lostFactors: LostFactorsWords };
  /** As people read it. */
  readonly code: string;
};

/** The mail with the code that ends a sign-in after an administrator took the second factors. */
export function lostFactorsMail({ words, language, server_name, code }: LostFactorsMail): MailText {
  const { mail } = words.lostFactors;
  return mailOf({
    language,
    subject: mail.subject(server_name),
    before: [words.password.mailGreeting, mail.says(server_name), mail.code(code)],
    after: [mail.caution],
  });
}
