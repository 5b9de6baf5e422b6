/** The columns by which the indexes of a table find rows, and the orders in which the indexes return them. */
import { type TableName, tables } from "../../records/definition/definition.ts";
import type { Indexes } from "../../records/definition/table.ts";

export function indexesOf(table: TableName): Indexes {
  return tables[table].indexes;
}

/** Returns whether an index finds the rows with a value of this column in the order of IDs. */
export function isInOrder(table: TableName, column: string): boolean {
  return indexesOf(table).ordered?.includes(column) === true;
}
