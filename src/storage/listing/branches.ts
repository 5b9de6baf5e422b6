/**
 * The origin of a list's rows: stretches of an index in the order of ids, one for each way in which the actor
 * may own a row. What no index knows is asked of each row on the way.
 */
import { type RawBuilder, sql } from "kysely";
import { fieldsOf, type Row, type TableName } from "../../records/definition.ts";
import type { Owner } from "../../records/ownership.ts";
import type { Database } from "../database.ts";
import type { Dialect } from "../dialect.ts";
import type { Connection } from "../driver.ts";
import { firstId, lastId } from "../ids.ts";
import { isOwnedBy } from "../ownership.ts";
import { allColumns, statement } from "../statement.ts";
import type { Where } from "../verbs.ts";
import { endOfPrefix, wordTable } from "./search_words.ts";

/** Which rows are wanted. */
export interface Wanted<T extends TableName> {
  readonly where: Where<T>;
  readonly visible: Owner | undefined;
  /** Each begins a word of the record. */
  readonly terms: readonly string[];
  readonly created_from: Date | undefined;
  readonly created_before: Date | undefined;
}

/** Ids between two others, neither included. */
export interface Stretch {
  readonly above: string;
  readonly below: string;
  readonly descending: boolean;
}

/** Some of the rows, and how they are found by an index. */
export interface Branch {
  /** Columns that must have a value, which the index begins with. */
  readonly columns: Readonly<Record<string, unknown>>;
  /** The index finds few rows, and not in the order of ids. */
  readonly few?: true;
  /** Narrows the stretch. */
  readonly within?: { readonly above: string; readonly below: string };
  /** Another table that names the ids, in this column. */
  readonly through?: { readonly table: TableName; readonly id: string };
}

export interface BranchPage<T extends TableName> {
  /** In the order of ids. */
  readonly rows: readonly Row<T>[];
  /** As far as this id the branch was read; undefined when it was read to its end. */
  readonly end: string | undefined;
}

/** How many rows a page reads at most where few of them may fit. */
export const mostRead = 3000;

/** Runs queries of very many shapes: no statement is kept prepared for them. */
export function asking({ driver }: Database): Connection {
  return { ...driver, all: driver.queryUnprepared };
}

const column = (name: string, of = "t") => sql.raw(`${of}.${name}`);

export function equals(dialect: Dialect, table: TableName, name: string, value: unknown, of?: string) {
  const kind = fieldsOf(table)[name]?.kind;
  if (kind === undefined || value === undefined) throw new TypeError(`${table}.${name} cannot be asked for`);
  return value === null
    ? sql<boolean>`${column(name, of)} IS NULL`
    : sql<boolean>`${column(name, of)} = ${dialect.encode(kind, value)}`;
}

/** Whether a record of `id` has a word that begins so. */
function hasWord(table: TableName, term: string): RawBuilder<boolean> {
  return sql<boolean>`EXISTS (SELECT 1 FROM ${sql.table(wordTable(table))} w
    WHERE w.record_id = t.id AND w.word >= ${term} AND w.word < ${endOfPrefix(term)} LIMIT 1 OFFSET 0)`;
}

/** What must hold of the row `t` beside what the index found it by; undefined when nothing more must. */
export function remaining<T extends TableName>(
  dialect: Dialect,
  table: T,
  wanted: Wanted<T>,
  found_by: Readonly<Record<string, unknown>>,
  term?: string,
): RawBuilder<boolean> | undefined {
  const { where, visible, terms, created_from, created_before } = wanted;
  const parts = Object.entries(where)
    .filter(([name, value]) => found_by[name] !== value)
    .map(([name, value]) => equals(dialect, table, name, value));
  if (visible !== undefined) parts.push(isOwnedBy(dialect, table, visible));
  parts.push(...terms.filter((each) => each !== term).map((each) => hasWord(table, each)));
  const time = (moment: Date) => dialect.encode("time", moment);
  if (created_from !== undefined) parts.push(sql<boolean>`t.created_at >= ${time(created_from)}`);
  if (created_before !== undefined) parts.push(sql<boolean>`t.created_at < ${time(created_before)}`);
  return parts.length === 0 ? undefined : sql<boolean>`${sql.join(parts, sql` AND `)}`;
}

function all(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` AND `)}`;
}

/** The columns by which the index finds rows, as conditions on `of`. */
function foundBy(dialect: Dialect, { columns, through }: Branch, table: TableName, of: string) {
  const conditions = Object.entries(columns).map(([name, value]) =>
    equals(dialect, through?.table ?? table, name, value, of),
  );
  // The index of families holds users' tokens alone, and is used only where the question says the same.
  if ("family_id" in columns) conditions.push(sql<boolean>`${column("user_id", of)} IS NOT NULL`);
  return conditions;
}

/**
 * One statement: the rows that fit and, when there are fewer than asked for, the row at which reading ended.
 */
function branchStatement<T extends TableName>(
  dialect: Dialect,
  table: T,
  wanted: Wanted<T>,
  branch: Branch,
  stretch: Stretch,
  limit: number,
): RawBuilder<Row<T>> {
  const { through, few, within, columns } = branch;
  const above = within !== undefined && within.above > stretch.above ? within.above : stretch.above;
  const below = within !== undefined && within.below < stretch.below ? within.below : stretch.below;
  const direction = sql.raw(stretch.descending ? "DESC" : "ASC");
  // A bound that is none would make PostgreSQL expect few rows, and sort them rather than read them in their
  // order.
  const between = (id: RawBuilder<unknown>) => [
    ...(above === firstId ? [] : [sql<boolean>`${id} > ${dialect.encode("uuid", above)}`]),
    ...(below === lastId ? [] : [sql<boolean>`${id} < ${dialect.encode("uuid", below)}`]),
  ];
  const rest = remaining(dialect, table, wanted, through === undefined ? columns : {});
  const fits = rest ?? sql<boolean>`true`;
  const own = sql.table(table);
  const ended = sql`ORDER BY t.id ${direction} LIMIT ${limit}`;

  if (few) {
    return sql<
      Row<T>
    >`WITH few AS MATERIALIZED (SELECT * FROM ${own} t WHERE ${all(foundBy(dialect, branch, table, "t"))})
      SELECT ${allColumns(table, "t")} FROM few AS t WHERE ${all([...between(column("id")), fits])} ${ended}`;
  }
  if (rest === undefined && through === undefined) {
    return sql<Row<T>>`SELECT ${allColumns(table, "t")} FROM ${own} t
      WHERE ${all([...foundBy(dialect, branch, table, "t"), ...between(column("id"))])} ${ended}`;
  }
  const id = through === undefined ? "s.id" : `s.${through.id}`;
  const source = sql`FROM ${through === undefined ? own : sql.table(through.table)} s
    WHERE ${all([...foundBy(dialect, branch, table, "s"), ...between(sql.raw(id))])}
    ORDER BY ${sql.raw(id)} ${direction}`;
  const candidates =
    through === undefined
      ? sql`(SELECT s.* ${source} LIMIT ${mostRead}) t`
      : sql`(SELECT ${sql.raw(id)} AS candidate_id ${source} LIMIT ${mostRead}) c CROSS JOIN ${own} t`;
  const found = through === undefined ? fits : sql<boolean>`t.id = c.candidate_id AND ${fits}`;
  const order = sql.raw(through === undefined ? "t.id" : "c.candidate_id");
  return sql<Row<T>>`SELECT * FROM (
      SELECT ${allColumns(table, "t")}, 0 AS reading_ended FROM ${candidates} WHERE ${found} ORDER BY ${order} ${direction} LIMIT ${limit}
    ) fitting
    UNION ALL
    SELECT * FROM (
      SELECT ${allColumns(table, "t")}, 1 AS reading_ended FROM (SELECT ${sql.raw(id)} AS last_id ${source} LIMIT 1 OFFSET ${mostRead - 1}) e
      JOIN ${own} t ON t.id = e.last_id
    ) ending
    LIMIT ${limit}`;
}

/**
 * What of a branch comes next: `limit` rows and one more, or fewer where that was its end or enough was read.
 */
export async function readBranch<T extends TableName>(
  database: Database,
  table: T,
  wanted: Wanted<T>,
  branch: Branch,
  stretch: Stretch,
  limit: number,
): Promise<BranchPage<T>> {
  const { dialect } = database;
  const text = branchStatement(dialect, table, wanted, branch, stretch, limit + 1);
  const read = await statement<Row<T> & { id: string; reading_ended?: number }>(
    dialect,
    table,
    () => text as RawBuilder<never>,
  ).all(asking(database), {});
  let end: string | undefined;
  const rows: (Row<T> & { id: string })[] = [];
  for (const { reading_ended, ...row } of read) {
    if (reading_ended) end = row.id;
    else rows.push(row as Row<T> & { id: string });
  }
  rows.sort((a, b) => (a.id === b.id ? 0 : a.id < b.id !== stretch.descending ? -1 : 1));
  if (rows.length >= limit) end = rows.length > limit || end !== undefined ? rows.at(-1)?.id : undefined;
  return { rows, end };
}
