/**
 * The cookies that the server sets for users (L-5, L-8, P-4, PK-13, SS-14); the language has another cookie
 * (`language.ts`). `form` ties forms to a browser that has no session. `recovery` ties a pending account
 * recovery to the browser (MF-10), and `provider` a pending sign-in at an external provider. `device`
 * identifies the users who need no second factor in this browser (MF-13). `browser` identifies those who
 * signed in with this browser. `last` contains the sign-in method that was used last. `passkey_offer`
 * postpones the next offer of a passkey, and `passkey_upgrade` contains the user's consent to automatic
 * passkeys.
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
 * Returns the cookie's name. Browsers accept the prefix `__Host-` only with the attribute `Secure`, which
 * cookies of loopback issuers with plain http lack.
 */
export function cookieName(kind: CookieKind, secure: boolean): string {
  return secure ? `__Host-postern_${kind}` : `postern_${kind}`;
}

const attributes = (secure: boolean) => ({ path: "/", httpOnly: true, secure, sameSite: "lax" }) as const;

export function readCookie(request: FastifyRequest, kind: CookieKind, secure: boolean): string | undefined {
  return request.cookies[cookieName(kind, secure)];
}

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
