/** Selects a bounded part of the rows that have a given value in a column, for counts. */
import { type RawBuilder, sql } from "kysely";
import type { TableName } from "../../records/definition/definition.ts";
import { isInOrder } from "./indexes.ts";

/**
 * Maximum rows read for one count, newest first if the index has them in that order. On SQLite, other
 * requests wait until the read ends.
 */
export const mostRead = 20_000;

/** Selects the rows to read as `t`: the newest rows, if an index returns them by `column` in order. */
export function candidates(table: TableName, column: string, by: RawBuilder<boolean>): RawBuilder<unknown> {
  const order = isInOrder(table, column) ? sql`ORDER BY t.id DESC` : sql``;
  return sql`(SELECT t.* FROM ${sql.table(table)} t WHERE ${by} ${order} LIMIT ${sql.lit(mostRead)}) t`;
}
