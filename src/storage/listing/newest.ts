/** Selects a limited number of rows with a given value in a column, for counts. */
import { type RawBuilder, sql } from "kysely";
import type { TableName } from "../../records/definition/definition.ts";
import { isInOrder } from "./indexes.ts";

/** Maximum rows that are read for a count. On SQLite, other requests wait during the read. */
export const mostRead = 20_000;

/** Selects up to `mostRead` rows as `t`, the newest ones if an index has them in that order. */
export function candidates(table: TableName, column: string, by: RawBuilder<boolean>): RawBuilder<unknown> {
  const order = isInOrder(table, column) ? sql`ORDER BY t.id DESC` : sql``;
  return sql`(SELECT t.* FROM ${sql.table(table)} t WHERE ${by} ${order} LIMIT ${sql.lit(mostRead)}) t`;
}
