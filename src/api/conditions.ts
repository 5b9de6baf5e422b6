/**
 * Conditional requests on single records (RFC 9110 13): who changes a record says which state of it they saw.
 */
import type { FastifyRequest } from "fastify";

/** The entity tags of a header; `*` is none (RFC 9110 8.8.3). */
function tagsOf(header: string): readonly string[] {
  return header.match(/(?:W\/)?"[\x21\x23-\x7E\x80-\xFF]*"/g) ?? [];
}

/**
 * The states of which `If-Match` asks for one: none for any other text than tags. Undefined when the caller
 * asks for no state, and for `*`, which any state that exists fulfils.
 */
export function requiredStates({ headers }: FastifyRequest): readonly string[] | undefined {
  const header = headers["if-match"];
  // A weak tag never matches (RFC 9110 8.8.3.2), for `etagOf` makes none.
  return header === undefined || header.trim() === "*" ? undefined : tagsOf(header);
}

/** Whether the caller already has this version: 304 (RFC 9110 13.1.2). */
export function isKnown(request: FastifyRequest, etag: string): boolean {
  const header = request.headers["if-none-match"];
  if (header === undefined) return false;
  return header.trim() === "*" || tagsOf(header).some((tag) => tag.replace(/^W\//, "") === etag);
}
