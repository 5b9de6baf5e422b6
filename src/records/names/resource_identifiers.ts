/** Identifiers of APIs (RFC 8707 2), and equivalence of their spellings (RFC 3986 6.2). */

import { type Reason, reason } from "../../errors/field_errors.ts";

export const longestIdentifier = 2048;

/** The parts of a URI without a fragment (RFC 3986, appendix B). */
const parts = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?$/;

const characters = /^[\x21\x24-\x3B\x3D\x3F-\x5B\x5D\x5F\x61-\x7A\x7E]+$/;

/**
 * One or two dots, at least one of them percent-encoded (RFC 3986 6.2.2.2). Parsers that follow the URL
 * Standard resolve them as dot segments.
 */
const encodedDots = /^(?=.*%)(?:\.|%2e){1,2}$/i;

const defaultPorts: Readonly<Record<string, string>> = { https: "443", http: "80" };

/**
 * Returns the normal form of an identifier (RFC 3986 6.2.2.1, 6.2.2.3, 6.2.3). Percent-encodings are not
 * decoded. Undefined for encoded dot segments, which some parsers resolve, and for anything but an absolute
 * URI without a fragment.
 */
export function identifierKey(identifier: string): string | undefined {
  const found = characters.test(identifier) ? parts.exec(identifier) : null;
  if (found === null || !URL.canParse(identifier)) return undefined;
  const [, scheme = "", site, path = "", query = ""] = found;
  const name = scheme.toLowerCase();
  if (path.split("/").some((segment) => encodedDots.test(segment))) return undefined;
  if (site === undefined) return upperCaseEncodings(`${name}:${path}${query}`);
  const hierarchy = withoutDotSegments(path === "" ? "/" : path);
  return upperCaseEncodings(`${name}://${normalSite(site, name)}${hierarchy}${query}`);
}

/** Returns why a string cannot identify an API; undefined if it can. */
export function identifierReason(identifier: string): Reason | undefined {
  if (identifierKey(identifier) === undefined) return reason("not_resource");
  const [, , site] = parts.exec(identifier) ?? [];
  return site?.includes("@") ? reason("user_information") : undefined;
}

/** Paths of this server, below which no other API may have its identifier. */
const ownPaths: ReadonlySet<string> = new Set([
  "oauth",
  ".well-known",
  "api",
  "console",
  "account",
  "login",
  "logout",
  "consent",
  "setup",
  "invitation",
  "reset-password",
  "forgot-password",
  "healthz",
  "readyz",
  "dev",
]);

const ownNames = "urn:postern:";

/** Returns the prefix of the names that an organization may give to its own APIs, in normal form. */
export function namesOfOrganization(organization_id: string): string {
  return `${ownNames}organization:${organization_id}`;
}

/** Returns whether the key is one of this server's names and not one that this organization may use. */
export function isReservedName(key: string, organization_id: string | null): boolean {
  if (!key.toLowerCase().startsWith(ownNames)) return false;
  return organization_id === null || !isBelow(key, namesOfOrganization(organization_id));
}

/**
 * Returns whether the identifier belongs to this server: its issuer, a URL below one of its paths, or one of
 * its names. An organization may use the names below its own prefix.
 */
export function isOfServer(
  identifier: string,
  issuer: string | undefined,
  organization_id: string | null,
): boolean {
  const key = identifierKey(identifier) ?? identifier;
  if (isReservedName(key, organization_id)) return true;
  const own = issuer === undefined ? undefined : identifierKey(issuer);
  if (own === undefined) return false;
  if (key === own || key === trailingSlashKey(own)) return true;
  const [first = ""] = isBelow(key, own) ? key.slice(own.length).replace(/^\//, "").split(/[/?]/) : [];
  return ownPaths.has(first);
}

/**
 * Returns the key of the same path with a trailing slash added or removed. Returns undefined for a bare
 * origin, a URN and a key with a query.
 */
export function trailingSlashKey(key: string): string | undefined {
  const [, origin, path] = /^([^:]+:\/\/[^/]+)(\/[^?]+)$/.exec(key) ?? [];
  if (origin === undefined || path === undefined) return undefined;
  return origin + (path.endsWith("/") ? path.slice(0, -1) : `${path}/`);
}

/**
 * Returns whether the first key is below the second: it begins with the second key, followed by whole
 * segments.
 */
export function isBelow(key: string, above: string): boolean {
  return key.startsWith(above) && belowPartsOf(key)(above.length);
}

/** Returns a function that tells whether the key is below its part before a position. */
function belowPartsOf(key: string): (end: number) => boolean {
  const scheme = key.indexOf("://");
  const hierarchy = scheme < 0 ? key.length : scheme + "://".length;
  const query = key.indexOf("?");
  return (end) =>
    end < hierarchy
      ? key[end] === ":" && end + 1 < key.length
      : end < key.length && (query < 0 || end <= query) && (key[end] === "/" || key[end - 1] === "/");
}

const mostAbove = 100;

/**
 * Returns the keys that this key is below (`isBelow`), shortest first. Of an identifier with very many
 * segments only the first keys are returned, because callers look up each of them.
 */
export function keysAbove(key: string): readonly string[] {
  const isBelowPart = belowPartsOf(key);
  const above: string[] = [];
  for (let end = 0; end < key.length && above.length < mostAbove; end++)
    if (isBelowPart(end)) above.push(key.slice(0, end));
  return above;
}

function normalSite(site: string, scheme: string): string {
  const at = site.lastIndexOf("@") + 1;
  const host = site.slice(at).toLowerCase();
  const port = /:(\d*)$/.exec(host);
  const isDefault = port !== null && (port[1] === "" || port[1] === defaultPorts[scheme]);
  // User information is preserved, so the URL never matches an identifier, which has none.
  return site.slice(0, at) + (isDefault ? host.slice(0, port.index) : host);
}

const upperCaseEncodings = (text: string) =>
  text.replaceAll(/%[0-9a-f]{2}/gi, (encoding) => encoding.toUpperCase());

function withoutDotSegments(path: string): string {
  const kept: string[] = [];
  const segments = path.split("/").slice(1);
  for (const [index, segment] of segments.entries()) {
    if (segment === "..") kept.pop();
    if (segment !== "." && segment !== "..") kept.push(segment);
    else if (index === segments.length - 1) kept.push("");
  }
  return `/${kept.join("/")}`;
}
