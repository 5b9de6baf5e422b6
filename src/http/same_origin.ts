/** Checks that requests come from this server's pages, and limits redirects to them (L-3, L-4). */

import type { FastifyRequest } from "fastify";

/**
 * Returns whether another origin sent the request; undefined if the browser does not report it (W3C Fetch
 * Metadata).
 */
export function isForeignSite({ headers }: FastifyRequest): boolean | undefined {
  const site = headers["sec-fetch-site"];
  return site === undefined ? undefined : site !== "same-origin" && site !== "none";
}

export interface LocalRedirect {
  readonly location: string;
  readonly url: string;
}

const home: LocalRedirect = { location: "/", url: "/" };

/**
 * Returns the value of `redirect` as `location`, and without `{base_url}` as `url`. Both are `/` unless the
 * value is a URL of this server. Its path must not start with `//`, because what follows could later be
 * parsed as a host.
 */
export function localRedirect(redirect: string | undefined, base_url: string): LocalRedirect {
  if (redirect === undefined || !/^[\x21-\x5B\x5D-\x7E]+$/.test(redirect)) return home;
  const url = redirect.startsWith(`${base_url}/`) ? redirect.slice(base_url.length) : redirect;
  if (!url.startsWith("/") || url.startsWith("//")) return home;
  const read = URL.parse(redirect, `${base_url}/`);
  if (read === null || read.origin !== new URL(base_url).origin) return home;
  if (read.username !== "" || read.password !== "" || read.pathname.startsWith("//")) return home;
  return { location: redirect, url };
}
