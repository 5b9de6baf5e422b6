/**
 * The cookies of people (L-5, L-8, P-4, PK-13, SS-14): the session, the browser of a form without a session,
 * and the provider account or recovery (MF-10) that waits there. Browser cookies hold earlier users and their
 * methods, the user it is remembered for (MF-13), and a pause in passkey offers.
 */
import type { FastifyReply, FastifyRequest } from "fastify";

export type CookieKind =
  | "session"
  | "form"
  | "browser"
  | "device"
  | "recovery"
  | "passkey_offer"
  | "passkey_upgrade"
  | "last"
  | "provider";

/** `__Host-` needs https; over plain http, which is for loopback, the browser would drop the cookie. */
export function cookieName(kind: CookieKind, secure: boolean): string {
  return secure ? `__Host-postern_${kind}` : `postern_${kind}`;
}

const attributes = (secure: boolean) => ({ path: "/", httpOnly: true, secure, sameSite: "lax" }) as const;

export function readCookie(request: FastifyRequest, kind: CookieKind, secure: boolean): string | undefined {
  return request.cookies[cookieName(kind, secure)];
}

/** The browser drops it when it closes, unless `days` is set; the server ends its session independently. */
export function setCookie(
  reply: FastifyReply,
  kind: CookieKind,
  secure: boolean,
  value: string,
  days?: number,
): void {
  const kept = days === undefined ? {} : { maxAge: Math.floor(days * 86_400) };
  reply.setCookie(cookieName(kind, secure), value, { ...attributes(secure), ...kept });
}

export function clearCookie(reply: FastifyReply, kind: CookieKind, secure: boolean): void {
  reply.clearCookie(cookieName(kind, secure), attributes(secure));
}
