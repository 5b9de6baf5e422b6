/** What the server did and has something to say of: the header `postern-notice`. */

/** Each entry begins with the path of its member, `/logo_url` or `apps[0]`; the last may count further ones. */
const betweenNotices = /, (?=\/[a-z]|[a-z_]+\[\d+\]|and \d+ more$)/;

/** The messages of an answer, such as `/logo_url: pages do not show this picture`. */
export function noticesIn(headers: Headers): string[] {
  return headers.get("postern-notice")?.split(betweenNotices) ?? [];
}
