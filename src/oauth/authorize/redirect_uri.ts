import type { OAuthApp } from "../../records/definition.ts";

/**
 * `http://127.0.0.1:49152/cb`: the host as it is written, so that no user information or other host hides in
 * it.
 */
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::(\d{1,5}))?(\/.*)?$/;

function withoutPort(uri: string): string | undefined {
  const match = loopback.exec(uri);
  if (match === null) return undefined;
  const [, origin = "", port, rest = ""] = match;
  return port !== undefined && Number(port) > 65_535 ? undefined : origin + rest;
}

/**
 * Whether a redirect URI is one that the app registered: the same characters (RFC 9700 2.1). A native app's
 * loopback IP redirect may come with any port (RFC 8252 7.3).
 */
export function isRegistered(
  redirect_uri: string,
  app: Pick<OAuthApp, "redirect_uris" | "app_type">,
): boolean {
  if (app.redirect_uris.includes(redirect_uri)) return true;
  if (app.app_type !== "native") return false;
  const asked = withoutPort(redirect_uri);
  return asked !== undefined && app.redirect_uris.some((registered) => withoutPort(registered) === asked);
}

/** The registered URIs, those first that have most of their beginning and end in common with this one. */
export function nearestFirst(uri: string, registered: readonly string[]): string[] {
  const inCommon = (other: string) => {
    const shorter = Math.min(uri.length, other.length);
    let start = 0;
    while (start < shorter && uri[start] === other[start]) start += 1;
    let end = 0;
    while (end < shorter - start && uri.at(-1 - end) === other.at(-1 - end)) end += 1;
    return start + end;
  };
  return registered
    .map((other) => ({ other, rank: inCommon(other) - Math.abs(uri.length - other.length) }))
    .sort((one, two) => two.rank - one.rank)
    .map(({ other }) => other);
}

/**
 * The redirect URI with response parameters behind whatever query it has, percent-encoded as
 * `application/x-www-form-urlencoded` (RFC 6749 3.1.2, 4.1.2). Undefined values are left out.
 */
export function withParameters(
  redirect_uri: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.append(name, value);
  const separator = !redirect_uri.includes("?") ? "?" : /[?&]$/.test(redirect_uri) ? "" : "&";
  return `${redirect_uri}${separator}${query}`;
}
