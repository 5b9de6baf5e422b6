import type { FastifyReply } from "fastify";

type Headers = Readonly<Record<string, string>>;

declare module "fastify" {
  interface FastifyContextConfig {
    /** The headers of every response of the route, built when it is declared. */
    first_headers?: Headers;
  }
}

/** The headers of each kind of answer, so that none carries meaningless ones. */
export interface SecurityHeaders {
  /** A file or document that may be kept; the route says for how long. */
  readonly kept: Headers;
  /** An answer to a program (H-2, T-2). */
  readonly program: Headers;
  /** An answer to a browser, and every other (requirement A-23). */
  readonly browser: Headers;
  /** A page that no application leads to: its window has no opener (`staysHere`). */
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

/** Whether nothing that follows on this answer leads to an application. */
export function staysHere(reply: FastifyReply): boolean {
  return reply.hasHeader(openerPolicy);
}

/** Makes a page of the account a step of a sign-in, as where a second factor is set up on the way. */
export function leadOn(reply: FastifyReply): void {
  reply.removeHeader(openerPolicy);
}

/** RFC 6749 5.1. */
export const notKept: Headers = { "cache-control": "no-store", pragma: "no-cache" };

/** Lets an answer be kept for so many seconds, by shared caches too. Its route is declared `kept`. */
export function cacheFor(reply: FastifyReply, seconds: number): FastifyReply {
  return reply.header("cache-control", publicFor(seconds));
}

/** The header of a response that shared caches may store. */
export function publicFor(seconds: number): string {
  return `public, max-age=${seconds}`;
}

/**
 * The policy of a page: our own scripts, nothing inline, and from other hosts only pictures of vouched hosts.
 * `form_action` is what `formAction` gives, undefined if forms may lead anywhere; `picture_sources` what
 * `pictureSources` gives; `asks_back` lets the scripts send requests to this server; `script`, the hash of
 * the only one that the page runs, replaces our own.
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
 * Where the forms of a page of this server's own may lead: here, and to providers. Chromium applies
 * `form-action` to every redirect that follows a form, so a provider is named by its scheme, for it may
 * redirect on to another host.
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

/** The `form-action` of a page that posts to this http or https address: its origin alone. */
export function postsTo(address: string): string {
  const { origin, protocol, hostname } = new URL(address);
  // A source holds no IPv6 address, and a host of other characters would end the directive (CSP3 2.3.1).
  return /^[a-z0-9.-]+$/.test(hostname) ? origin : protocol;
}
