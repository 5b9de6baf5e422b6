/** The ETags of records, kept beside them so that a record holds its own members and nothing else. */
import type { State } from "./operation_types.ts";

const etag = Symbol("etag");

/** The ETag that came with this record; none for one of a list, a copy, and what is no record. */
export function etagOf(record: object): string | undefined {
  return (record as { readonly [etag]?: string })[etag];
}

/** Keeps the ETag of an answer, where there is one. */
export function withEtag<R>(record: R, headers: Headers): R {
  const value = headers.get("etag");
  // Not enumerable, so that neither a copy nor JSON has it.
  if (value !== null && typeof record === "object" && record !== null)
    Object.defineProperty(record, etag, { value, configurable: true });
  return record;
}

/** The text for If-Match and If-None-Match. Throws `TypeError` for a record that came without an ETag. */
export function etagText(state: State): string {
  const text = typeof state === "string" ? state : etagOf(state);
  if (text === undefined)
    throw new TypeError("the record has no ETag: it must be one that get, create or update answered");
  return text;
}
