import type { FastifyReply } from "fastify";
import { clearCookie } from "../../../http/cookies.ts";
import type { HttpContext } from "../http_context.http.ts";

/**
 * After the session of this browser has ended: the page that says so has an address of its own, so that
 * reloading it sends no form again (RFC 9110 15.4.4).
 */
export function toSignedOut(reply: FastifyReply, { secure }: Pick<HttpContext, "secure">): FastifyReply {
  clearCookie(reply, "session", secure);
  return reply.redirect("/logout", 303);
}
