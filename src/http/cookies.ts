/**
 * The cookies of people (L-5, L-8, P-4, PK-13, SS-14): who is signed in, in which browser a form was shown to
 * nobody yet, and which account at a provider or recovery (MF-10) waits there. Those of a browser say who
 * signed in there before and how, for whom it is remembered (MF-13), and that no passkey is to be offered for
 * some days.
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

/**
 * The browser forgets it when it closes, unless told `days`; what it stands for ends on our side, not there.
 */
export function setCookie(
  reply: FastifyReply,
  kind: CookieKind,
  secure: boolean,
  value: string,
  days?: number,
): void {
  const kept = days === undefined ? {} : { maxAge: days * 86_400 };
  reply.setCookie(cookieName(kind, secure), value, { ...attributes(secure), ...kept });
}

export function clearCookie(reply: FastifyReply, kind: CookieKind, secure: boolean): void {
  reply.clearCookie(cookieName(kind, secure), attributes(secure));
}
