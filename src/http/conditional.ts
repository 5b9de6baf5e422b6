import { crc32 } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Content with a strong ETag (RFC 9110, section 8.8.3). */
export interface Representation {
  readonly type: string;
  readonly body: string | Buffer;
  /** The entity tag, including its quotes. */
  readonly etag: string;
}

export function jsonRepresentation(document: object): Representation {
  const body = JSON.stringify(document);
  // A checksum is enough: the ETag distinguishes versions of this server's own content, and no one else
  // controls the content.
  const etag = `"${body.length.toString(16)}-${crc32(body).toString(16)}"`;
  return { type: "application/json; charset=utf-8", body, etag };
}

/** Sends the representation, or 304 to a caller that already has it (RFC 9110, section 13.1.2). */
export function sendConditionally(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, body, etag }: Representation,
): FastifyReply {
  reply.header("etag", etag);
  const known = request.headers["if-none-match"]?.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  if (known?.includes(etag) || known?.includes("*")) return reply.code(304).send();
  return reply.type(type).send(body);
}
