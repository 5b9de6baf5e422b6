import type { User } from "../../../records/definition/definition.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";
import type { HttpContext } from "../http_context.http.ts";
import { purposes } from "../proofs/purposes.ts";
import { type CodePurpose, codeMail } from "./code.mail.ts";

/** Sends a code by email to its user in the language of the page, if the server can send email. */
export function postCode(
  code_purpose: CodePurpose,
  {
    user,
    code,
    locale,
  }: { user: Pick<User, "email">; code: string; locale: Pick<PageLocale, "words" | "language"> },
  { mail, server }: Pick<HttpContext, "mail" | "server">,
): void {
  const { words, language } = locale;
  // Only the email for a sensitive action states the lifetime.
  const { minutes } = purposes.sudo_mailbox;
  const server_name = new URL(server.issuer).host;
  const message = codeMail({ words, language, server_name, code_purpose, code, minutes });
  mail?.post(async () => ({ to: user.email, ...message }));
}
