import { type Reason, reason } from "../../errors/field_errors.ts";
import type { OAuthApp } from "../definition/definition.ts";

/**
 * Response parameters: a registered URI that already contains one could be mistaken for this server's
 * response.
 */
const responseParameters = ["code", "state", "error", "error_description", "error_uri", "iss"];

const loopbackHosts: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]", "localhost"]);

/**
 * Returns whether the host is the loopback interface, so http never leaves the user's machine (RFC 8252 7.3,
 * 8.3).
 */
export function isLoopbackHost(hostname: string): boolean {
  return loopbackHosts.has(hostname);
}

/**
 * Returns why a redirect URI cannot be registered for an app of this type; undefined if it can. Follows RFC
 * 6749 3.1.2 (absolute, no fragment), RFC 8252 7.1 (private-use schemes) and RFC 9700 2.1 (no patterns).
 */
export function redirectUriError(uri: string, app_type: OAuthApp["app_type"]): Reason | undefined {
  if (uri.length > 2048) return reason("too_long", { characters: 2048 });
  if (!/^[\x21-\x7E]+$/.test(uri)) return reason("not_printable_ascii");
  if (uri.includes("*")) return reason("wildcard");
  if (uri.includes("#")) return reason("fragment");
  if (uri.includes("\\")) return reason("backslash");
  const url = URL.parse(uri);
  if (url === null) return reason("not_absolute_uri");
  // The parser accepts a missing authority and drops an empty user; other parsers read the same URI
  // differently.
  if (/^https?:/i.test(uri) && !/^https?:\/\/[^/?]/i.test(uri)) return reason("no_host");
  if (/^[^:]+:\/\/[^/?]*@/.test(uri)) return reason("user_information");
  const carried = responseParameters.find((name) => url.searchParams.has(name));
  if (carried !== undefined) return reason("response_parameter", { parameter: carried });
  if (url.protocol === "https:") return undefined;
  if (url.protocol === "http:") {
    return isLoopbackHost(url.hostname) ? undefined : reason("not_https");
  }
  if (app_type !== "native") return reason("not_web_uri");
  if (!url.protocol.includes(".")) return reason("no_private_scheme");
  return undefined;
}

/**
 * Returns whether any program on the device can receive the redirect, so the client's identity is not
 * assured (RFC 8252 8.6).
 */
export function isUnverifiableRedirect(uri: string): boolean {
  const url = URL.parse(uri);
  return url === null || url.protocol !== "https:";
}

/**
 * Returns whether the redirect URI uses https or http, to which a browser can post a form. For other schemes,
 * a browser opens a program without the body.
 */
export function isWebRedirect(uri: string): boolean {
  const protocol = URL.parse(uri)?.protocol;
  return protocol === "https:" || protocol === "http:";
}

/** Returns whether the redirect uses https, to a host other than the device itself. */
export function isSecureRedirect(uri: string): boolean {
  const url = URL.parse(uri);
  return url?.protocol === "https:" && !isLoopbackHost(url.hostname);
}

/**
 * Returns the part of a redirect URI that shows users its target: its origin in ASCII, or the scheme that
 * opens an installed app.
 */
export function destination(redirect_uri: string): string {
  const url = URL.parse(redirect_uri);
  if (url === null) return redirect_uri;
  return url.origin === "null" ? url.protocol : url.origin;
}
