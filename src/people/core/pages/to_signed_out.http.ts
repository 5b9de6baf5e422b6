import type { FastifyReply } from "fastify";
import { clearCookie } from "../../../http/cookies.ts";
import type { HttpContext } from "../http_context.http.ts";

/**
 * Clears the session cookie and redirects, so that reloading the signed-out page does not resubmit a form
 * (RFC 9110, section 15.4.4).
 */
export function toSignedOut(reply: FastifyReply, { secure }: Pick<HttpContext, "secure">): FastifyReply {
  clearCookie(reply, "session", secure);
  return reply.redirect("/logout", 303);
}
