/** An HTTP/1.1 response (RFC 9112), parsed only as far as a load generator needs. */

export interface HttpResponse {
  readonly status: number;
  /** Status line and headers. */
  readonly head: Buffer;
  readonly body: Buffer;
  /** Whether the server allows the connection to be reused. */
  readonly keep_alive: boolean;
}

/**
 * Returns the response at the beginning of `bytes`; undefined while it is incomplete. Throws if it is not
 * HTTP/1.1, if only the closing of the connection marks its end, or if data follows it, because only one
 * request was sent.
 */
export function readResponse(bytes: Buffer): HttpResponse | undefined {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd === -1) return undefined;
  const head = bytes.toString("latin1", 0, headEnd);
  const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1];
  if (status === undefined) throw new Error("the response is not HTTP/1.1");
  const framed = readBody(bytes, headEnd + 4, head, status);
  if (framed === undefined) return undefined;
  if (framed.end !== bytes.length) throw new Error("data follows the response");
  return {
    status: Number(status),
    head: bytes.subarray(0, headEnd),
    body: framed.body,
    keep_alive: !/\r\nconnection: *close/i.test(head),
  };
}

interface Framed {
  readonly body: Buffer;
  readonly end: number;
}

function readBody(bytes: Buffer, start: number, head: string, status: string): Framed | undefined {
  if (status === "204" || status === "304") return { body: bytes.subarray(start, start), end: start };
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    const end = start + Number(length);
    return bytes.length < end ? undefined : { body: bytes.subarray(start, end), end };
  }
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) return readChunks(bytes, start);
  throw new Error("the response does not state its length");
}

function readChunks(bytes: Buffer, start: number): Framed | undefined {
  const chunks: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd === -1) return undefined;
    const size = /^[0-9a-f]+/i.exec(bytes.toString("latin1", at, lineEnd))?.[0];
    if (size === undefined) throw new Error("a chunk does not state its length");
    const from = lineEnd + 2;
    const to = from + Number.parseInt(size, 16);
    if (bytes.length < to + 2) return undefined;
    if (bytes.toString("latin1", to, to + 2) !== "\r\n")
      throw new Error("a chunk does not have its stated length");
    if (to === from) return { body: Buffer.concat(chunks), end: to + 2 };
    chunks.push(bytes.subarray(from, to));
    at = to + 2;
  }
}
