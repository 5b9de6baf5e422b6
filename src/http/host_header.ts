import type { IncomingMessage } from "node:http";

/**
 * Whether the message names its host once, as each of HTTP/1.1 must (RFC 9112 3.2). Of several names one part
 * of a chain of servers may read the first, and another one the last.
 */
export function namesOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let names = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === "host") names += 1;
  }
  return names === 1 || (names === 0 && httpVersion === "1.0");
}
