import { gzipSync } from "node:zlib";
import type { onSendHookHandler } from "fastify";

/** Bytes. For a smaller response, compression saves less than the additional headers cost. */
const leastLength = 1400;

/** Whether an `Accept-Encoding` header allows gzip (RFC 9110, section 12.5.3). */
function takesGzip(accept_encoding: string | undefined): boolean {
  const [, q = "1"] = /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=([\d.]+))?\s*(?:,|$)/i.exec(
    accept_encoding ?? "",
  ) ?? ["", "0"];
  return Number(q) > 0;
}

/**
 * Returns a hook that compresses the response once, for a route that always sends the same bytes. Never use
 * it for a page with a token and text supplied by the caller, because the compressed length would reveal the
 * token.
 */
export function gzipped(): onSendHookHandler {
  let made: { readonly of: string | Buffer; readonly packed: Buffer } | undefined;
  return (request, reply, payload, done) => {
    if (!(typeof payload === "string" || Buffer.isBuffer(payload)) || payload.length < leastLength) {
      return done(null, payload);
    }
    const vary = reply.getHeader("vary");
    reply.header("vary", vary === undefined ? "Accept-Encoding" : `${vary}, Accept-Encoding`);
    if (!takesGzip(request.headers["accept-encoding"])) return done(null, payload);
    if (made?.of !== payload) made = { of: payload, packed: gzipSync(payload, { level: 9 }) };
    reply.header("content-encoding", "gzip");
    // A strong ETag would claim that these bytes equal the uncompressed ones (RFC 9110, section 8.8.1).
    const etag = reply.getHeader("etag");
    if (etag !== undefined) reply.header("etag", `W/${etag}`);
    done(null, made.packed);
  };
}
