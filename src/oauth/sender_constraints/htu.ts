/**
 * An address as RFC 3986 6.2.2 and 6.2.3 normalise it, without query and fragment: the case of scheme, host
 * and percent-encodings, the default port, dot segments, unreserved characters (RFC 9449 4.3). Undefined for
 * a text that is no such address.
 */
export function normalizedHtu(text: string): string | undefined {
  // A URL parser of browsers mends these; nothing that has to be mended is an address here.
  if (!/^https?:\/\/[^\s\\/?#]/i.test(text) || /[^\x21-\x7E]|[\\^`{|}<>"]/.test(text)) return undefined;
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "") return undefined;
  const path = url.pathname.replaceAll(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : encoded.toUpperCase();
  });
  return `${url.origin}${path}`;
}
