/** Conditional requests on single records (RFC 9110 13): a change states the version that the caller saw. */
import type { FastifyRequest } from "fastify";

/** `*` is not an entity tag (RFC 9110 8.8.3). */
function tagsOf(header: string): readonly string[] {
  return header.match(/(?:W\/)?"[\x21\x23-\x7E\x80-\xFF]*"/g) ?? [];
}

/**
 * Returns the entity tags in `If-Match`; empty if it contains none. Undefined without the header and for `*`,
 * which any existing record satisfies.
 */
export function requiredStates({ headers }: FastifyRequest): readonly string[] | undefined {
  const header = headers["if-match"];
  // A weak tag never matches (RFC 9110 8.8.3.2), and `etagOf` creates none.
  return header === undefined || header.trim() === "*" ? undefined : tagsOf(header);
}

/** Returns whether the caller already has this version, so that the response is 304 (RFC 9110 13.1.2). */
export function isKnown(request: FastifyRequest, etag: string): boolean {
  const header = request.headers["if-none-match"];
  if (header === undefined) return false;
  return header.trim() === "*" || tagsOf(header).some((tag) => tag.replace(/^W\//, "") === etag);
}
