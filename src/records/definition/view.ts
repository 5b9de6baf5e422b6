import { type ColumnOf, fieldsOf, type Row, type TableName, tables } from "./definition.ts";
import { mayBeShown } from "./field.ts";

/**
 * A record as it may leave the server: JSON values under the specification's names. Columns that are never
 * shown are absent at run time, although the type has them.
 */
export type PublicView<T extends TableName = never> = [T] extends [never]
  ? Record<string, unknown>
  : { readonly [Column in ColumnOf<T>]: AsShown<Row<T>[Column]> };

type AsShown<V> = V extends Date ? string : V;

const shownColumns: ReadonlyMap<string, readonly string[]> = new Map(
  Object.keys(tables).map((table) => {
    const fields = Object.entries(fieldsOf(table as TableName));
    return [table, fields.flatMap(([name, field]) => (mayBeShown(field) ? [name] : []))];
  }),
);

/**
 * Returns the fields of a record that an API response, a log or an export may contain. Times are ISO 8601
 * in UTC.
 */
export function publicView<T extends TableName>(table: T, row: Row<T>): PublicView {
  const view: PublicView = {};
  for (const name of shownColumns.get(table) ?? []) {
    const value = (row as Record<string, unknown>)[name];
    view[name] = value instanceof Date ? value.toISOString() : value;
  }
  return view;
}

/** Returns the `max_length` of a text column. */
export function longestOf(table: TableName, column: string): number {
  const { max_length } = fieldsOf(table)[column] ?? {};
  if (max_length === undefined) throw new TypeError(`${table}.${column} has no bound`);
  return max_length;
}
