/**
 * Identifiers of clients that are the address of their document (draft-ietf-oauth-client-id-metadata-document
 * 3).
 */

/** Characters of such an identifier. */
export const longestIdentifier = 2048;

/** Whether the text begins as such an identifier; it may still be none that can be used. */
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
 * Why this cannot be such an identifier; undefined when it can. It is written as the URL parser would write
 * it, so that the address compared is the address fetched: no dot segments in any spelling, no backslashes,
 * no capitals in the host. A port that is named stays, `:443` too: two spellings are two clients.
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

/** The host of such an identifier, with its port where one is named: what was verified of the client. */
export function hostOfIdentifier(client_id: string): string {
  return /^https:\/\/([^/?#]+)/.exec(client_id)?.[1] ?? "";
}
