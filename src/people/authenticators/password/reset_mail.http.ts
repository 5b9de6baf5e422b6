import type { Mail } from "../../../records/names/notices.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";
import type { HttpContext } from "../../core/http_context.http.ts";
import { inactiveMail, otherMethodsMail, resetMail } from "./password.mail.ts";
import { makeResetMail, type ResetRequest, resetLinkMinutes } from "./password_reset.ts";

/**
 * Returns the email that answers a request for a password link; undefined if no account has the email
 * address. The link starts with the configured base URL, never with a host from a header.
 */
export async function resetMailFor(
  requested: ResetRequest,
  locale: Pick<PageLocale, "words" | "language">,
  { identity, server }: Pick<HttpContext, "identity" | "server">,
): Promise<Mail | undefined> {
  const message = await makeResetMail(requested, identity);
  if (message === undefined) return undefined;
  const { to } = message;
  const reader = { ...locale, server_name: new URL(server.issuer).host };
  const sign_in_href = `${server.issuer}/login`;
  switch (message.type) {
    case "inactive":
      return { to, ...inactiveMail(reader) };
    case "other_ways":
      return { to, ...otherMethodsMail({ ...reader, ways: message.ways, sign_in_href }) };
    case "link": {
      const link = `${server.issuer}/reset-password?token=${message.token}`;
      return { to, ...resetMail({ ...reader, link, minutes: resetLinkMinutes }) };
    }
    default:
      return message satisfies never;
  }
}
