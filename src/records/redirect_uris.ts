import type { OAuthApp } from "./definition.ts";

/**
 * Response parameters: a registered URI that already carries one would let it be mistaken for our answer
 * (A-10).
 */
const responseParameters = ["code", "state", "error", "error_description", "error_uri", "iss"];

const loopbackHosts = new Set(["127.0.0.1", "[::1]", "localhost"]);

/** An http host that never leaves the machine (RFC 8252 7.3, 8.3). */
export function isLoopbackHost(hostname: string): boolean {
  return loopbackHosts.has(hostname);
}

/**
 * Why a redirect URI cannot be registered for an app of this type; undefined when it can.
 * RFC 6749 3.1.2 (absolute, no fragment), RFC 8252 7.1 (private-use schemes), RFC 9700 2.1 (no patterns).
 */
export function redirectUriFault(uri: string, app_type: OAuthApp["app_type"]): string | undefined {
  if (uri.length > 2048) return "must be at most 2048 characters";
  if (!/^[\x21-\x7E]+$/.test(uri)) return "must be printable ASCII without spaces";
  if (uri.includes("*")) return "must not contain a wildcard: redirect URIs are compared as exact strings";
  if (uri.includes("#")) return "must not contain a fragment";
  if (uri.includes("\\")) return "must not contain a backslash";
  const url = URL.parse(uri);
  if (url === null) return "must be an absolute URI";
  // The parser forgives a missing authority, and forgets an empty user; others read the same text
  // differently.
  if (/^https?:/i.test(uri) && !/^https?:\/\/[^/?]/i.test(uri)) return "must name a host after ://";
  if (/^[^:]+:\/\/[^/?]*@/.test(uri)) return "must not contain user information";
  const carried = responseParameters.find((name) => url.searchParams.has(name));
  if (carried !== undefined) return `must not carry the parameter ${carried}: it belongs to the answer`;
  if (url.protocol === "https:") return undefined;
  if (url.protocol === "http:") {
    return isLoopbackHost(url.hostname) ? undefined : "must be https unless the host is loopback";
  }
  if (app_type !== "native") return "must be http or https unless the app is native";
  if (!url.protocol.includes("."))
    return "must have a private-use scheme with a dot, such as com.example.app:/";
  return undefined;
}

/**
 * A redirect to which any program on the device can listen, so that the client's identity is not assured (RFC
 * 8252 8.6).
 */
export function isUnverifiableRedirect(uri: string): boolean {
  const url = URL.parse(uri);
  return url === null || url.protocol !== "https:";
}
