import type { FastifyReply } from "fastify";

/** What every answer says, whatever it is (requirements A-23, H-2, T-2). Answers that may be kept take the first two back. */
export function securityHeaders(secure: boolean): Readonly<Record<string, string>> {
  return {
    "cache-control": "no-store",
    pragma: "no-cache",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    ...(secure && { "strict-transport-security": "max-age=31536000" }),
  };
}

/** Lets an answer be kept for so many seconds, by shared caches too. */
export function cacheFor(reply: FastifyReply, seconds: number): FastifyReply {
  return reply.removeHeader("pragma").header("cache-control", `public, max-age=${seconds}`);
}

/**
 * The policy of a page: no script, nothing from elsewhere but pictures. `form_action` is what `formAction` gives.
 */
export function contentSecurityPolicy(form_action: string): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data: https:",
    `form-action ${form_action}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
}

/**
 * Where the forms of a page may lead. Chromium applies `form-action` to every redirect that follows a form, so the way
 * back to the client is named; by its scheme, for the client may itself redirect on to another host of its own.
 */
export function formAction(leads_to: string | undefined): string {
  const protocol = leads_to === undefined ? undefined : URL.parse(leads_to)?.protocol;
  if (protocol === undefined) return "'self'";
  return protocol === "http:" ? "'self' http: https:" : `'self' ${protocol}`;
}
