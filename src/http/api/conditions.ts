/**
 * Conditional requests on single records (RFC 9110 13): who changes a record says which state of it they saw.
 */
import type { FastifyRequest } from "fastify";
import { isSameState } from "../../admin/manage.ts";
import { detail } from "../../errors/details.ts";
import { Problem } from "../../errors.ts";

/** The entity tags of a header; `*` is none (RFC 9110 8.8.3). */
function tagsOf(header: string): readonly string[] {
  return header.match(/(?:W\/)?"[\x21\x23-\x7E\x80-\xFF]*"/g) ?? [];
}

/**
 * What `If-Match` demands of a record's state: throws 412 `stale` for any other. Undefined when the caller
 * demands nothing, and for `*`, which any state that exists fulfils.
 */
export function demandedState(request: FastifyRequest): ((etag: string) => void) | undefined {
  const header = request.headers["if-match"];
  if (header === undefined || header.trim() === "*") return undefined;
  return (etag) => {
    // A weak tag never matches (RFC 9110 8.8.3.2).
    if (tagsOf(header).some((tag) => isSameState(tag, etag))) return;
    throw new Problem(412, "stale", detail("stale"));
  };
}

/** Whether the caller has this state already: 304 then (RFC 9110 13.1.2). */
export function isKnown(request: FastifyRequest, etag: string): boolean {
  const header = request.headers["if-none-match"];
  if (header === undefined) return false;
  return header.trim() === "*" || tagsOf(header).some((tag) => tag.replace(/^W\//, "") === etag);
}
