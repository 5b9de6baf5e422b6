import { durationText } from "../../web/measure.ts";
import type { ProviderWords } from "../../web/words/en/providers.ts";
import { type MailReader, type MailText, mailOf, nameInMail } from "../core/mail_text.view.ts";

/** Returns the email with the code that verifies an email address for a provider account (EP-10, EP-11). */
export function mailCodeMail({
  words,
  language,
  server_name,
  provider,
  code,
  minutes,
}: MailReader & {
  readonly words: { readonly providers: ProviderWords };
  readonly provider: string;
  readonly code: string;
  readonly minutes: number;
}): MailText {
  const say = words.providers.mail;
  return mailOf({
    language,
    subject: say.subject(server_name),
    before: [
      words.password.mailGreeting,
      say.lead(server_name, nameInMail(provider)),
      code,
      say.minutes(durationText(minutes * 60, language)),
      say.other,
    ],
    after: [],
  });
}
