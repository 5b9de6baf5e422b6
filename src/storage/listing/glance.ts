/** Returns some rows of a list at a limited cost. */
import { type RawBuilder, sql } from "kysely";
import type { Row, TableName } from "../../records/definition/definition.ts";
import type { Database } from "../database/database.ts";
import { firstId, lastId } from "../database/ids.ts";
import { allColumns, statement } from "../database/statement.ts";
import { type Branch, readConnection, type Wanted } from "./branches.ts";
import { candidatesOf, united } from "./candidates.ts";

export interface Glance<T extends TableName> {
  readonly rows: Row<T>[];
  /** True if all rows of the list were read, or `limit` rows were found. */
  readonly is_all: boolean;
}

/**
 * Reads at most `most_read` rows, and returns at most `limit` matching ones, sorted newest first, but not
 * necessarily the newest.
 */
export async function glanceAt<T extends TableName>(
  database: Database,
  table: T,
  wanted: Wanted<T>,
  branches: readonly Branch[],
  { limit, most_read }: { readonly limit: number; readonly most_read: number },
): Promise<Glance<T>> {
  const { dialect } = database;
  if (branches.length === 0) return { rows: [], is_all: true };
  const met = Math.max(1, Math.floor(most_read / branches.length));
  const reach = { above: firstId, below: lastId, met, newest: true } as const;
  const parts = branches.map((branch) => candidatesOf(dialect, table, wanted, branch, reach));
  const by_parts = branches.some(({ words }) => words?.inside);
  const ask = <R>(text: RawBuilder<unknown>) =>
    statement<R>(dialect, table, () => text as RawBuilder<never>).all(
      readConnection(database, { by_parts }),
      {},
    );
  const fitting = united(
    parts.map((part) => part.fitting),
    sql` UNION `,
  );
  const rows = await ask<Row<T> & { id: string }>(sql`SELECT ${allColumns(table, "t")}
    FROM (SELECT id AS found_id FROM (${fitting}) fitting LIMIT ${limit}) f
    CROSS JOIN ${sql.table(table)} t WHERE t.id = f.found_id`);
  rows.sort((one, other) => (one.id < other.id ? 1 : -1));
  if (rows.length === limit) return { rows, is_all: true };
  const unread = united(
    parts.map((part) => part.unread),
    sql` UNION ALL `,
  );
  const more = await ask(sql`SELECT 1 AS one FROM (${unread}) unread LIMIT 1`);
  return { rows, is_all: more.length === 0 };
}
