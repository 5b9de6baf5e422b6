import type { FastifyReply } from "fastify";

type Headers = Readonly<Record<string, string>>;

declare module "fastify" {
  interface FastifyContextConfig {
    /** Built when the route is declared, and sent in every response of the route. */
    first_headers?: Headers;
  }
}

interface SecurityHeaders {
  readonly kept: Headers;
  /** Headers of a response to a program (H-2, T-2). */
  readonly program: Headers;
  /**
   * Headers of a response to a browser, and of every response that is not marked as one to a program
   * (requirement A-23).
   */
  readonly browser: Headers;
  /**
   * Headers of a page that takes no part in a sign-in for an application (`staysHere`). They separate the
   * page from the window that opened it.
   */
  readonly own: Headers;
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
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
  };
  return { kept, program, browser, own: { ...browser, [openerPolicy]: "same-origin" } };
}

const openerPolicy = "cross-origin-opener-policy";

/** Returns whether the response is a page that takes no part in a sign-in for an application. */
export function staysHere(reply: FastifyReply): boolean {
  return reply.hasHeader(openerPolicy);
}

/**
 * Removes the header `Cross-Origin-Opener-Policy` from an account page that is a step of a sign-in, such as
 * the setup of a second factor.
 */
export function leadOn(reply: FastifyReply): void {
  reply.removeHeader(openerPolicy);
}

/** RFC 6749, section 5.1 requires these headers for token responses. */
export const notKept: Headers = { "cache-control": "no-store", pragma: "no-cache" };

/** Lets caches, including shared ones, store the response. The route must be declared `kept`. */
export function cacheFor(reply: FastifyReply, seconds: number): FastifyReply {
  return reply.header("cache-control", publicFor(seconds));
}

export function publicFor(seconds: number): string {
  return `public, max-age=${seconds}`;
}

/**
 * Returns the content security policy of a page. `form_action` is the result of `formAction`; undefined if
 * forms may lead anywhere. `script` is the hash of an inline script, which is then the only script that may
 * run.
 */
export function contentSecurityPolicy(
  form_action: string | undefined,
  picture_sources = "'self' data:",
  asks_back = false,
  script = "self",
): string {
  return [
    "default-src 'none'",
    `script-src '${script}'`,
    ...(asks_back ? ["connect-src 'self'"] : []),
    "style-src 'self'",
    `img-src ${picture_sources}`,
    ...(form_action === undefined ? [] : [`form-action ${form_action}`]),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
}

/**
 * Returns the `form-action` of this server's own pages. Chromium applies `form-action` to every redirect
 * after a form is submitted. Each URL in `leads_to` is therefore listed by its scheme only, because its host
 * may redirect to another one.
 */
export function formAction(leads_to: readonly (string | undefined)[] = []): string {
  const protocols = new Set<string>();
  for (const address of leads_to) {
    const protocol = address === undefined ? undefined : URL.parse(address)?.protocol;
    if (protocol === undefined) continue;
    protocols.add(protocol);
    if (protocol === "http:") protocols.add("https:");
  }
  return ["'self'", ...protocols].join(" ");
}

/** Returns the `form-action` of a page that posts to this http or https URL. */
export function postsTo(address: string): string {
  const { origin, protocol, hostname } = new URL(address);
  // A CSP source cannot contain an IPv6 address, and other characters in a host could end the directive
  // (CSP3, section 2.3.1).
  return /^[a-z0-9.-]+$/.test(hostname) ? origin : protocol;
}
