/**
 * The cookies of users (L-5, L-8, P-4, PK-13, SS-14). They hold the session, the form cookie of a browser
 * without a session, and the provider account or recovery (MF-10) that is pending in the browser. Further
 * cookies hold earlier users and their sign-in methods, the users for whom the browser is remembered (MF-13),
 * and a pause in passkey offers.
 */
import type { FastifyReply, FastifyRequest } from "fastify";

type CookieKind =
  | "session"
  | "form"
  | "browser"
  | "device"
  | "recovery"
  | "passkey_offer"
  | "passkey_upgrade"
  | "last"
  | "provider";

/**
 * Returns the cookie's name. `__Host-` requires https; over plain http, which is for loopback, the browser
 * would drop the cookie.
 */
export function cookieName(kind: CookieKind, secure: boolean): string {
  return secure ? `__Host-postern_${kind}` : `postern_${kind}`;
}

const attributes = (secure: boolean) => ({ path: "/", httpOnly: true, secure, sameSite: "lax" }) as const;

export function readCookie(request: FastifyRequest, kind: CookieKind, secure: boolean): string | undefined {
  return request.cookies[cookieName(kind, secure)];
}

/**
 * Sets a cookie that the browser drops when it closes, unless `days` is set. The server ends its session
 * independently.
 */
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
