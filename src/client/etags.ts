import type { State } from "./operation_types.ts";

const etag = Symbol("etag");

/**
 * Returns the ETag that was returned with this record; undefined for records from lists and for copies of a
 * record.
 */
export function etagOf(record: object): string | undefined {
  return (record as { readonly [etag]?: string })[etag];
}

export function withEtag<R>(record: R, headers: Headers): R {
  const value = headers.get("etag");
  // The property is not enumerable, so copies and JSON do not contain it.
  if (value !== null && typeof record === "object" && record !== null)
    Object.defineProperty(record, etag, { value, configurable: true });
  return record;
}

/** Returns the text for If-Match and If-None-Match. Throws `TypeError` for a record without an ETag. */
export function etagText(state: State): string {
  const text = typeof state === "string" ? state : etagOf(state);
  if (text === undefined)
    throw new TypeError("the record has no ETag: pass a record that get, create or update returned");
  return text;
}
