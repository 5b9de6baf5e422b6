import type { User } from "../../../records/definition/definition.ts";
import type { RequestOrigin } from "../../../records/definition/request_origin.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";
import type { HttpContext } from "../../core/http_context.http.ts";
import { resetMail } from "./password.mail.ts";
import { makeResetMail, resetLinkMinutes } from "./password_reset.ts";

/**
 * Emails a password link that the user did not request. `undone_at` is when the user reported an unauthorized
 * change.
 */
export function postResetLink(
  { identity, mail, server }: Pick<HttpContext, "identity" | "mail" | "server">,
  { email }: Pick<User, "email">,
  {
    origin,
    locale,
    undone_at: stolen_since,
  }: { readonly origin: RequestOrigin; readonly locale: PageLocale; readonly undone_at?: Date },
): void {
  mail?.post(async () => {
    const message = await makeResetMail({ email, origin, stolen_since }, identity);
    if (message?.type !== "link") return undefined;
    const link = `${server.issuer}/reset-password?token=${message.token}`;
    const server_name = new URL(server.issuer).host;
    return { to: message.to, ...resetMail({ ...locale, server_name, link, minutes: resetLinkMinutes }) };
  });
}
