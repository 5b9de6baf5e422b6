/** Notices of successful calls: the header `postern-notice`. */

/** An entry starts with the path of its member, `/logo_url` or `apps[0]`; the last may count further ones. */
const betweenNotices = /, (?=\/[a-z]|[a-z_]+\[\d+\]|and \d+ more$)/;

/** The notices of a response, such as `/logo_url: pages do not show this picture`. */
export function noticesIn(headers: Headers): string[] {
  return headers.get("postern-notice")?.split(betweenNotices) ?? [];
}
