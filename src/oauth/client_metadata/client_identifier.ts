/**
 * Client identifiers that are the URL of the client's metadata document
 * (draft-ietf-oauth-client-id-metadata-document 3).
 */

/** Characters (PR-16). */
export const longestIdentifier = 2048;

/** Returns whether the identifier begins like the URL of a client document; it may still be invalid. */
export function isDocumentAddress(client_id: string): boolean {
  return client_id.startsWith("https://");
}

export type IdentifierError =
  | "too_long"
  | "not_https_url"
  | "fragment"
  | "user_information"
  | "not_normal"
  | "no_path";

/**
 * Returns why a string cannot be the URL of a client document. The string must equal the output of the URL
 * parser, because the compared string is also the URL that is fetched. An explicit port `:443` is the only
 * exception: the URLs with and without it name two clients.
 */
export function identifierError(client_id: string): IdentifierError | undefined {
  if (client_id.length > longestIdentifier) return "too_long";
  const url = isDocumentAddress(client_id) ? URL.parse(client_id) : null;
  if (url === null || /^$|^\.|\.\./.test(url.hostname)) return "not_https_url";
  // The URL parser drops an empty fragment.
  if (client_id.includes("#")) return "fragment";
  if (/^https:\/\/[^/?]*@/.test(client_id)) return "user_information";
  if (url.href !== client_id.replace(/^(https:\/\/[^/?]+):443(?=[/?]|$)/, "$1")) return "not_normal";
  return url.pathname === "/" ? "no_path" : undefined;
}

/**
 * Returns the host of a client identifier, with the port if the identifier names one. The fetch of the
 * client's document verifies only this part of its identity.
 */
export function hostOfIdentifier(client_id: string): string {
  return /^https:\/\/([^/?#]+)/.exec(client_id)?.[1] ?? "";
}
