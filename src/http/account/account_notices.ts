/** Tells people that somebody changed what their account hangs on, where mail can be sent. */
import type { MailText } from "../../web/mails/mail_text.ts";
import { emailNoticeMail, type Notice, passwordNoticeMail } from "../../web/mails/notice_mails.ts";
import type { Language } from "../../web/words/language.ts";
import { wordsOf } from "../../web/words/words.ts";
import type { HttpContext } from "../context.ts";

type Posting = Pick<HttpContext, "mail" | "server">;

/** Tells the user with this address that the password of their account was changed. */
export function postPasswordNotice(context: Posting, to: string, language: Language): void {
  post(context, to, language, (notice) => {
    const forgot_href = `${context.server.issuer}/forgot-password`;
    return passwordNoticeMail({ ...notice, forgot_href });
  });
}

/** Tells the user who had this address that their account has another one now. */
export function postEmailNotice(context: Posting, to: string, language: Language): void {
  post(context, to, language, emailNoticeMail);
}

function post(
  { mail, server }: Posting,
  to: string,
  language: Language,
  mailOf: (notice: Notice) => MailText,
): void {
  const changed_at = server.now();
  const server_name = new URL(server.issuer).host;
  mail?.post(async () => ({
    to,
    ...mailOf({ words: wordsOf(language), language, server_name, changed_at }),
  }));
}
