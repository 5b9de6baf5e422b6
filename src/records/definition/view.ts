import { fieldsOf, type Row, type TableName } from "./definition.ts";
import { mayBeShown } from "./field.ts";

/** A record as it may leave the server: JSON values under the specification's names. */
export type PublicView = Record<string, unknown>;

/** The fields of a record that may leave through an API, a log or an export. Times are ISO 8601 in UTC. */
export function publicView<T extends TableName>(table: T, row: Row<T>): PublicView {
  const view: PublicView = {};
  for (const [name, field] of Object.entries(fieldsOf(table))) {
    if (!mayBeShown(field)) continue;
    const value = (row as Record<string, unknown>)[name];
    view[name] = value instanceof Date ? value.toISOString() : value;
  }
  return view;
}

/** Characters of a text at most. */
export function longestOf(table: TableName, column: string): number {
  const { max_length } = fieldsOf(table)[column] ?? {};
  if (max_length === undefined) throw new TypeError(`${table}.${column} has no bound`);
  return max_length;
}
