/**
 * Identifiers of clients that are the address of their document (draft-ietf-oauth-client-id-metadata-document
 * 3).
 */

/** Maximum characters of a client identifier URL. */
export const longestIdentifier = 2048;

/** Whether the text begins as a client identifier URL; it may still be invalid. */
export function isDocumentAddress(client_id: string): boolean {
  return client_id.startsWith("https://");
}

/** Why no document may be fetched from this address; each is a sentence of `documentErrors`. */
export type IdentifierError =
  | "too_long"
  | "not_https_url"
  | "fragment"
  | "user_information"
  | "not_normal"
  | "no_path";

/**
 * Why this cannot be a client identifier URL; undefined if it can. It must equal the output of the URL
 * parser, so that the compared address is the fetched one: no dot segments in any spelling, no backslashes,
 * no capitals in the host. An explicit port stays, `:443` too: two spellings are two clients.
 */
export function identifierError(client_id: string): IdentifierError | undefined {
  if (client_id.length > longestIdentifier) return "too_long";
  const url = isDocumentAddress(client_id) ? URL.parse(client_id) : null;
  if (url === null || /^$|^\.|\.\./.test(url.hostname)) return "not_https_url";
  // An empty one is lost by the parser.
  if (client_id.includes("#")) return "fragment";
  if (/^https:\/\/[^/?]*@/.test(client_id)) return "user_information";
  if (url.href !== client_id.replace(/^(https:\/\/[^/?]+):443(?=[/?]|$)/, "$1")) return "not_normal";
  return url.pathname === "/" ? "no_path" : undefined;
}

/**
 * The host of a client identifier, with an explicit port if any: the verified part of the client's identity.
 */
export function hostOfIdentifier(client_id: string): string {
  return /^https:\/\/([^/?#]+)/.exec(client_id)?.[1] ?? "";
}
