/** Loopback hosts, as a redirect URI spells them (RFC 8252 7.3, 8.3). */
export type LoopbackHost = "127.0.0.1" | "[::1]" | "localhost";

/** The host must be spelled out exactly, so no user information or other host can hide in it. */
const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::(\d{1,5}))?(\/.*)?$/;

interface LoopbackUri {
  readonly host: LoopbackHost;
  readonly port: string | undefined;
  readonly rest: string;
}

function readLoopback(uri: string): LoopbackUri | undefined {
  const match = loopback.exec(uri);
  if (match === null) return undefined;
  const [, host, port, rest = ""] = match;
  if (port !== undefined && Number(port) > 65_535) return undefined;
  return { host: host as LoopbackHost, port, rest };
}

/**
 * Returns whether a redirect URI equals one of `redirect_uris`, character by character (RFC 9700 2.1). On the
 * loopback hosts of `any_port` the port may differ (RFC 8252 7.3).
 */
export function isRegistered(
  redirect_uri: string,
  redirect_uris: readonly string[],
  any_port: readonly LoopbackHost[],
): boolean {
  if (redirect_uris.includes(redirect_uri)) return true;
  const requested = readLoopback(redirect_uri);
  if (requested === undefined || !any_port.includes(requested.host) || /^0/.test(requested.port ?? ""))
    return false;
  return redirect_uris.some((uri) => {
    const registered = readLoopback(uri);
    return registered?.host === requested.host && registered.rest === requested.rest;
  });
}

/** Returns the redirect URI with response parameters appended to its query (RFC 6749 3.1.2, 4.1.2). */
export function withParameters(
  redirect_uri: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.append(name, value);
  const separator = !redirect_uri.includes("?") ? "?" : /[?&]$/.test(redirect_uri) ? "" : "&";
  return `${redirect_uri}${separator}${query}`;
}
