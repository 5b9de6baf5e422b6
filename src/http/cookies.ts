/** The two cookies: who is signed in, and in which browser a form was shown to nobody yet (requirements L-5, L-8). */
import type { FastifyReply, FastifyRequest } from "fastify";

export type CookieKind = "session" | "form";

/** `__Host-` needs https; over plain http, which is for loopback, the browser would drop the cookie. */
export function cookieName(kind: CookieKind, secure: boolean): string {
  return secure ? `__Host-postern_${kind}` : `postern_${kind}`;
}

const attributes = (secure: boolean) => ({ path: "/", httpOnly: true, secure, sameSite: "lax" }) as const;

export function readCookie(request: FastifyRequest, kind: CookieKind, secure: boolean): string | undefined {
  return request.cookies[cookieName(kind, secure)];
}

/** The browser forgets it when it closes; what it stands for ends in the database, not here. */
export function setCookie(reply: FastifyReply, kind: CookieKind, secure: boolean, value: string): void {
  reply.setCookie(cookieName(kind, secure), value, attributes(secure));
}

export function clearCookie(reply: FastifyReply, kind: CookieKind, secure: boolean): void {
  reply.clearCookie(cookieName(kind, secure), attributes(secure));
}
