/** The session cookie (L-6, L-8). */
import type { FastifyReply } from "fastify";
import { setCookie } from "../../http/cookies.ts";
import type { Session } from "../../records/definition/definition.ts";
import type { HttpContext } from "./http_context.http.ts";

/**
 * Sets the session cookie. Unless the user chose to stay signed in, it lasts until the browser closes
 * (OR-16).
 */
export function setSessionCookie(
  reply: FastifyReply,
  cookie: string,
  { remembered, expires_at }: Pick<Session, "remembered" | "expires_at">,
  { secure, server }: Pick<HttpContext, "secure" | "server">,
): void {
  const days = remembered ? (expires_at.getTime() - server.now().getTime()) / 86_400_000 : undefined;
  setCookie(reply, "session", secure, cookie, days);
}
