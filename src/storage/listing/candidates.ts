/** Selects the matching rows among a limited number of rows of a list. */
import { type RawBuilder, sql } from "kysely";
import type { TableName } from "../../records/definition/definition.ts";
import type { Dialect } from "../database/dialect.ts";
import { firstId, lastId } from "../database/ids.ts";
import {
  type Branch,
  greater,
  idColumnOf,
  lesser,
  remaining,
  type Stretch,
  sourceOf,
  type Wanted,
} from "./branches.ts";
import { wordsFound } from "./word_parts.ts";

export function united(of: readonly RawBuilder<unknown>[], by: RawBuilder<unknown>): RawBuilder<unknown> {
  const [only] = of;
  if (only !== undefined && of.length === 1) return only;
  return sql`${sql.join(
    of.map((one) => sql`SELECT * FROM (${one}) part`),
    by,
  )}`;
}

interface Reach extends Pick<Stretch, "above" | "below"> {
  readonly met: number;
  readonly newest?: true;
}

/**
 * Returns two parts of a query: `fitting` selects the IDs of the matching rows among the first `met` rows of
 * an index range. `unread` is SQL that yields a row if the range has more rows.
 */
export function candidatesOf<T extends TableName>(
  dialect: Dialect,
  table: T,
  wanted: Wanted<T>,
  branch: Branch,
  { above, below, met, newest }: Reach,
): { readonly fitting: RawBuilder<unknown>; readonly unread: RawBuilder<unknown> } {
  const { through, within, columns, words, few } = branch;
  const isElsewhere = through !== undefined || words !== undefined;
  const id = idColumnOf(branch);
  const [from, to] = [within?.above ?? firstId, within?.below ?? lastId];
  const bounds = [greater(above, from), lesser(below, to)] as const;
  const between = [
    ...(bounds[0] === firstId ? [] : [sql<boolean>`${sql.raw(id)} > ${dialect.encode("uuid", bounds[0])}`]),
    ...(bounds[1] === lastId ? [] : [sql<boolean>`${sql.raw(id)} < ${dialect.encode("uuid", bounds[1])}`]),
  ];
  const order = newest && !few ? sql`ORDER BY ${sql.raw(id)} DESC` : sql``;
  const source = sql`${sourceOf(dialect, table, branch, between)} ${order}`;
  const rest = remaining(dialect, table, wanted, isElsewhere ? {} : columns);
  const unread =
    words?.most === undefined
      ? sql`SELECT 1 AS one FROM ${source} LIMIT 1 OFFSET ${met}`
      : sql`SELECT 1 AS one FROM ${wordsFound(dialect, table, words)} LIMIT 1 OFFSET ${words.most}`;
  if (rest === undefined)
    return { fitting: sql`SELECT ${sql.raw(id)} AS id FROM ${source} LIMIT ${met}`, unread };
  const fitting = isElsewhere
    ? sql`SELECT t.id FROM (SELECT ${sql.raw(id)} AS candidate_id FROM ${source} LIMIT ${met}) c
        CROSS JOIN ${sql.table(table)} t WHERE t.id = c.candidate_id AND ${rest}`
    : sql`SELECT t.id FROM (SELECT s.* FROM ${source} LIMIT ${met}) t WHERE ${rest}`;
  return { fitting, unread };
}
