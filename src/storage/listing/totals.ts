import { type RawBuilder, sql } from "kysely";
import type { TableName } from "../../records/definition/definition.ts";
import { highestTotal } from "../../records/definition/list_orders.ts";
import type { Database } from "../database/database.ts";
import { statement } from "../database/statement.ts";
import { type Branch, readConnection, type Stretch, type Wanted } from "./branches.ts";
import { candidatesOf, united } from "./candidates.ts";

export interface Total {
  readonly total: number;
  readonly total_is_more: boolean;
}

/** Maximum rows that are read for a total, including those that do not match. */
export const mostMet = 30_000;

/** Returns the number of distinct matching rows in these index ranges (branches). */
export async function totalOf<T extends TableName>(
  database: Database,
  table: T,
  wanted: Wanted<T>,
  branches: readonly Branch[],
  ids: Pick<Stretch, "above" | "below">,
): Promise<Total> {
  const { dialect } = database;
  if (branches.length === 0) return { total: 0, total_is_more: false };
  const met = Math.ceil(mostMet / branches.length);
  const parts = branches.map((branch) => candidatesOf(dialect, table, wanted, branch, { ...ids, met }));
  const text = sql<{ found: number; unread: number | null }>`SELECT
      (SELECT count(*) FROM (SELECT 1 AS one FROM (${united(
        parts.map(({ fitting }) => fitting),
        sql` UNION `,
      )}) fitting LIMIT ${highestTotal + 1}) counted) AS found,
      (SELECT 1 FROM (${united(
        parts.map(({ unread }) => unread),
        sql` UNION ALL `,
      )}) unread LIMIT 1) AS unread`;
  const [row] = await statement<{ found: number; unread: number | null }>(
    dialect,
    table,
    () => text as RawBuilder<never>,
  ).all(readConnection(database, { by_parts: branches.some(({ words }) => words?.inside) }), {});
  const found = Number(row?.found);
  return {
    total: Math.min(found, highestTotal),
    total_is_more: found > highestTotal || (row?.unread ?? null) !== null,
  };
}
