import { fieldsOf, type Row, type TableName } from "./definition.ts";

/** A record as it may leave the server: JSON values under the specification's names. */
export type PublicView = Record<string, unknown>;

/**
 * The fields of a record that may leave through an API, a log or an export: all but its sensitive and
 * internal ones. Times are ISO 8601 in UTC, signatures base64url.
 */
export function publicView<T extends TableName>(table: T, row: Row<T>): PublicView {
  const view: PublicView = {};
  for (const [name, field] of Object.entries(fieldsOf(table))) {
    if (field.sensitive || field.internal) continue;
    const value = (row as Record<string, unknown>)[name];
    view[name] =
      value instanceof Date
        ? value.toISOString()
        : Buffer.isBuffer(value)
          ? value.toString("base64url")
          : value;
  }
  return view;
}
