/** The ETags of records, kept beside them so that a record holds its own members and nothing else. */
import type { State } from "./operation_types.ts";

const etags = new WeakMap<object, string>();

/** The ETag that came with this record; none for one of a list, a copy, and what is no record. */
export function etagOf(record: object): string | undefined {
  return etags.get(record);
}

/** Keeps the ETag of an answer, where there is one. */
export function withEtag<R>(record: R, headers: Headers): R {
  const etag = headers.get("etag");
  if (etag !== null && typeof record === "object" && record !== null) etags.set(record, etag);
  return record;
}

/** The text for If-Match and If-None-Match. Throws `TypeError` for a record that came without an ETag. */
export function etagText(state: State): string {
  const etag = typeof state === "string" ? state : etagOf(state);
  if (etag === undefined)
    throw new TypeError("the record has no ETag: it must be one that get, create or update answered");
  return etag;
}
