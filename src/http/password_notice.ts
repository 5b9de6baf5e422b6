import { passwordNoticeMail } from "../web/password_notice_mail.ts";
import type { Language } from "../web/words/language.ts";
import { wordsOf } from "../web/words/words.ts";
import type { HttpContext } from "./context.ts";

/** Tells whoever has this address that the password of their account is another one now, where mail can be sent. */
export function postPasswordNotice(
  { mail, server }: Pick<HttpContext, "mail" | "server">,
  to: string,
  language: Language,
): void {
  const changed_at = server.now();
  mail?.post(async () => {
    const { issuer } = server;
    const forgot_href = `${issuer}/forgot-password`;
    const server_name = new URL(issuer).host;
    const words = wordsOf(language);
    return { to, ...passwordNoticeMail({ words, language, server_name, changed_at, forgot_href }) };
  });
}
