import type { FastifyReply } from "fastify";

type Headers = Readonly<Record<string, string>>;

/**
 * What answers of each kind say before anything else, so that none sends more than means something on it.
 */
export interface SecurityHeaders {
  /** A file or document that may be kept; the route says for how long. */
  readonly kept: Headers;
  /** An answer to a program (H-2, T-2). */
  readonly program: Headers;
  /** An answer to a browser, and every other (requirement A-23). */
  readonly browser: Headers;
}

export function securityHeaders(secure: boolean): SecurityHeaders {
  const kept = {
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    ...(secure && { "strict-transport-security": "max-age=31536000" }),
  };
  const program = { ...kept, ...notKept };
  const browser = {
    ...program,
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
  };
  return { kept, program, browser };
}

/** RFC 6749 5.1. */
export const notKept: Headers = { "cache-control": "no-store", pragma: "no-cache" };

/** Lets an answer be kept for so many seconds, by shared caches too. Its route is declared `kept`. */
export function cacheFor(reply: FastifyReply, seconds: number): FastifyReply {
  return reply.header("cache-control", `public, max-age=${seconds}`);
}

/**
 * The policy of a page: scripts of ours, nothing inline, nothing from elsewhere but pictures of vouched
 * hosts. `form_action` is what `formAction` gives, `picture_sources` what `pictureSources` does; `asks_back`
 * lets the scripts send requests to this server.
 */
export function contentSecurityPolicy(
  form_action: string,
  picture_sources = "'self' data:",
  asks_back = false,
): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    ...(asks_back ? ["connect-src 'self'"] : []),
    "style-src 'self'",
    `img-src ${picture_sources}`,
    `form-action ${form_action}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
}

/**
 * Where the forms of a page may lead. Chromium applies `form-action` to every redirect that follows a form,
 * so the way back to the client is named; by its scheme, for the client may itself redirect on to another
 * host of its own.
 */
export function formAction(leads_to: string | undefined | readonly (string | undefined)[]): string {
  const addresses = typeof leads_to === "object" ? leads_to : [leads_to];
  const protocols = new Set<string>();
  for (const address of addresses) {
    const protocol = address === undefined ? undefined : URL.parse(address)?.protocol;
    if (protocol === undefined) continue;
    protocols.add(protocol);
    if (protocol === "http:") protocols.add("https:");
  }
  return ["'self'", ...protocols].join(" ");
}
