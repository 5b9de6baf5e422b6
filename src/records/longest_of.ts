import { fieldsOf, type TableName } from "./definition.ts";

/** Characters of a text at most. */
export function longestOf(table: TableName, column: string): number {
  const { max_length } = fieldsOf(table)[column] ?? {};
  if (max_length === undefined) throw new TypeError(`${table}.${column} has no bound`);
  return max_length;
}
