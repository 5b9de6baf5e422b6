/**
 * Describes, for each table, the columns by which an index finds rows, and the order in which the index
 * returns them.
 */
import { type TableName, tables } from "../../records/definition/definition.ts";
import type { Indexes } from "../../records/definition/table.ts";

export function indexesOf(table: TableName): Indexes {
  return tables[table].indexes;
}

/** Returns whether an index finds the rows with one value of this column in the order of their ids. */
export function isInOrder(table: TableName, column: string): boolean {
  return indexesOf(table).ordered?.includes(column) === true;
}
