/** Reads a list from one or more index ranges (branches), each in the order of the list. */
import { type RawBuilder, sql } from "kysely";
import { fieldsOf, type Row, type TableName } from "../../records/definition/definition.ts";
import type { Owner } from "../../records/definition/ownership.ts";
import type { Database } from "../database/database.ts";
import type { Dialect } from "../database/dialect.ts";
import type { Connection } from "../database/driver.ts";
import { firstId, lastId } from "../database/ids.ts";
import { isOwnedBy } from "../database/ownership.ts";
import { endOfPrefix, isPart, valueTable, wordTable } from "../database/search_words.ts";
import { allColumns, statement } from "../database/statement.ts";
import type { Where } from "../database/verbs.ts";
import { comparedPlaces, isBehind, keyOf, type Place, placeIn } from "./order.ts";
import { type FoundBy, wordsFound } from "./word_parts.ts";

export interface Wanted<T extends TableName> {
  readonly where: Where<T>;
  readonly visible: Owner | undefined;
  /** All terms must occur in words of the record. A short term must be the beginning of a word (`isPart`). */
  readonly terms: readonly string[];
  readonly sought?: readonly Sought[] | undefined;
  readonly created_from: Date | undefined;
  readonly created_before: Date | undefined;
}

/**
 * A further condition. `value`: an attribute has the value that this word encodes. `other_than`: the column
 * differs from this ID. `named`: one of the columns has one of the IDs given for it. `text`: a column
 * contains this lower-case text.
 */
export type Sought =
  | { readonly value: string }
  | { readonly other_than: string; readonly column: string }
  | { readonly named: readonly { readonly column: string; readonly ids: readonly string[] }[] }
  | { readonly text: string; readonly columns: readonly string[] };

export interface Branch {
  readonly columns: Readonly<Record<string, unknown>>;
  /** The index finds few rows, but in another order than that of the list, so they are sorted. */
  readonly few?: true;
  readonly within?: { readonly above: string; readonly below: string };
  readonly through?: { readonly table: TableName; readonly id: string };
  /** At most `most` matching words are read. */
  readonly words?: FoundBy & { readonly most?: number };
}

export interface Stretch {
  /** IDs between which the rows are read, excluding both. */
  readonly above: string;
  readonly below: string;
  readonly sort: string | undefined;
  readonly by_ids: boolean;
  readonly behind: Place | undefined;
  readonly descending: boolean;
}

export interface BranchPage<T extends TableName> {
  readonly rows: readonly Row<T>[];
  /** Undefined if the range was read to its end. */
  readonly end: Place | undefined;
}

/** Maximum rows of an index range that are read for a page if few of them match. */
export const mostRead = 3000;

/** Maximum rows that are sorted for a page if no index has the order of the list. */
export const mostSorted = 10_000;

/** Returns a connection whose `all` does not prepare queries, because their SQL varies too much. */
export function readConnection({ driver, dialect }: Database, { by_parts = false } = {}): Connection {
  if (!by_parts || dialect.name !== "postgres") return { ...driver, all: driver.queryUnprepared };
  // PostgreSQL uses trigram indexes only in bitmap scans, which connections disable by default
  // (`postgres/hosts.ts`).
  const all: Connection["all"] = (text, parameters) =>
    driver.transaction(async (connection) => {
      await connection.run("SET LOCAL enable_bitmapscan = on", []);
      return connection.queryUnprepared(text, parameters);
    });
  return { ...driver, all };
}

export const lesser = (a: string, b: string) => (a < b ? a : b);
export const greater = (a: string, b: string) => (a > b ? a : b);

const column = (name: string, of = "t") => sql.raw(`${of}.${name}`);

export function equals(dialect: Dialect, table: TableName, name: string, value: unknown, of?: string) {
  const kind = fieldsOf(table)[name]?.kind;
  if (kind === undefined || value === undefined) throw new TypeError(`${table}.${name} cannot be asked for`);
  if (Array.isArray(value)) {
    const values = value.map((each) => dialect.encode(kind, each));
    return values.length === 0
      ? sql<boolean>`1 = 0`
      : sql<boolean>`${column(name, of)} IN (${sql.join(values)})`;
  }
  return value === null
    ? sql<boolean>`${column(name, of)} IS NULL`
    : sql<boolean>`${column(name, of)} = ${dialect.encode(kind, value)}`;
}

function hasWord(table: TableName, term: string): RawBuilder<boolean> {
  const fits = isPart(term)
    ? sql`w.word LIKE ${`%${term}%`}`
    : sql`w.word >= ${term} AND w.word < ${endOfPrefix(term)}`;
  return sql<boolean>`EXISTS (SELECT 1 FROM ${sql.table(wordTable(table))} w
    WHERE w.record_id = t.id AND ${fits} LIMIT 1 OFFSET 0)`;
}

function fitsSought(dialect: Dialect, table: TableName, sought: Sought): RawBuilder<boolean> {
  if ("other_than" in sought)
    return sql<boolean>`${column(sought.column)} <> ${dialect.encode("uuid", sought.other_than)}`;
  if ("value" in sought)
    return sql<boolean>`EXISTS (SELECT 1 FROM ${sql.table(valueTable(table))} w
      WHERE w.record_id = t.id AND w.word = ${sought.value} LIMIT 1 OFFSET 0)`;
  const either =
    "named" in sought
      ? sought.named.map(({ column: name, ids }) => {
          const kind = fieldsOf(table)[name]?.kind ?? "uuid";
          return sql<boolean>`${column(name)} IN (${sql.join(ids.map((id) => sql`${dialect.encode(kind, id)}`))})`;
        })
      : sought.columns.map((name) => {
          const part = `%${sought.text.replace(/[!%_]/g, "!$&")}%`;
          return sql<boolean>`${dialect.lowerCase(column(name))} LIKE ${part} ESCAPE '!'`;
        });
  return either.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(either, sql` OR `)})`;
}

/**
 * Returns the conditions on row `t` that the index lookup does not already ensure; undefined if there are
 * none.
 */
export function remaining<T extends TableName>(
  dialect: Dialect,
  table: T,
  wanted: Wanted<T>,
  found_by: Readonly<Record<string, unknown>>,
): RawBuilder<boolean> | undefined {
  const { where, visible, terms, sought = [], created_from, created_before } = wanted;
  const parts = Object.entries(where)
    .filter(([name, value]) => found_by[name] !== value)
    .map(([name, value]) => equals(dialect, table, name, value));
  if (visible !== undefined) parts.push(isOwnedBy(dialect, table, visible));
  parts.push(...terms.map((each) => hasWord(table, each)));
  parts.push(...sought.map((each) => fitsSought(dialect, table, each)));
  const time = (moment: Date) => dialect.encode("time", moment);
  if (created_from !== undefined) parts.push(sql<boolean>`t.created_at >= ${time(created_from)}`);
  if (created_before !== undefined) parts.push(sql<boolean>`t.created_at < ${time(created_before)}`);
  return parts.length === 0 ? undefined : sql<boolean>`${sql.join(parts, sql` AND `)}`;
}

function all(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` AND `)}`;
}

function foundBy(dialect: Dialect, { columns, through }: Branch, table: TableName, of: string) {
  const conditions = Object.entries(columns).map(([name, value]) =>
    equals(dialect, through?.table ?? table, name, value, of),
  );
  // The index on `family_id` contains only rows with a `user_id`. The databases use it only if the query has
  // the same condition.
  if ("family_id" in columns) conditions.push(sql<boolean>`${column("user_id", of)} IS NOT NULL`);
  return conditions;
}

/** Returns the column of `sourceOf` with the IDs of the list's rows. */
export function idColumnOf({ through, words }: Branch): string {
  return through !== undefined ? `s.${through.id}` : words !== undefined ? "s.record_id" : "s.id";
}

/** Returns a FROM item and a WHERE clause that select the rows of an index range. */
export function sourceOf(
  dialect: Dialect,
  table: TableName,
  branch: Branch,
  more: readonly RawBuilder<boolean>[] = [],
): RawBuilder<unknown> {
  const { through, words } = branch;
  if (words !== undefined) {
    const found = wordsFound(dialect, table, words);
    const some =
      words.most === undefined ? found : sql`(SELECT w.record_id FROM ${found} LIMIT ${words.most}) w`;
    return sql`(SELECT DISTINCT w.record_id FROM ${some}) s WHERE ${all(more)}`;
  }
  const from = through === undefined ? table : through.table;
  return sql`${sql.table(from)} s WHERE ${all([...foundBy(dialect, branch, table, "s"), ...more])}`;
}

/** If fewer than `limit` of `mostRead` rows match, the statement also returns the last row that it read. */
function branchStatement<T extends TableName>(
  dialect: Dialect,
  table: T,
  wanted: Wanted<T>,
  branch: Branch,
  { descending, behind, sort, by_ids, ...ids }: Stretch,
  limit: number,
): RawBuilder<Row<T>> {
  const keyed = by_ids ? undefined : sort;
  const { through, few, within, columns, words } = branch;
  const direction = sql.raw(descending ? "DESC" : "ASC");
  const key = (of: string) => (keyed === undefined ? undefined : keyOf(dialect, table, keyed, of));
  let { above, below } = ids;
  if (within !== undefined) [above, below] = [greater(above, within.above), lesser(below, within.below)];
  if (keyed === undefined && behind !== undefined) {
    if (descending) below = lesser(below, behind.id);
    else above = greater(above, behind.id);
  }
  // With a bound that excludes nothing, PostgreSQL would expect few rows and sort them.
  const between = (of: string, id: RawBuilder<unknown>) => {
    const value = key(of);
    return [
      ...(above === firstId ? [] : [sql<boolean>`${id} > ${dialect.encode("uuid", above)}`]),
      ...(below === lastId ? [] : [sql<boolean>`${id} < ${dialect.encode("uuid", below)}`]),
      ...(value === undefined || behind === undefined
        ? []
        : [isBehind(dialect, [value, id], behind, descending)]),
    ];
  };
  const byKey = (of: string, id: string) => {
    const value = key(of);
    return sql`ORDER BY ${value === undefined ? sql`` : sql`${value} ${direction}, `}${sql.raw(id)} ${direction}`;
  };
  const isElsewhere = through !== undefined || words !== undefined;
  const idOf = idColumnOf(branch);
  const terms = wanted.terms.filter((term) => term !== words?.term);
  const rest = remaining(dialect, table, { ...wanted, terms }, isElsewhere ? {} : columns);
  const fits = rest ?? sql<boolean>`true`;
  const own = sql.table(table);

  if (few) {
    const source = isElsewhere
      ? sql`(SELECT ${sql.raw(idOf)} AS candidate_id FROM ${sourceOf(dialect, table, branch)}) c
          CROSS JOIN ${own} t WHERE t.id = c.candidate_id`
      : sql`${own} t WHERE ${all(foundBy(dialect, branch, table, "t"))}`;
    const value = key("t");
    return sql<
      Row<T>
    >`WITH few AS MATERIALIZED (SELECT t.id AS few_id${value === undefined ? sql`` : sql`, ${value} AS few_key`}
        FROM ${source} AND ${all([...between("t", column("id")), fits])})
      SELECT ${allColumns(table, "t")} FROM (SELECT * FROM few
        ORDER BY ${value === undefined ? sql`` : sql`few_key ${direction}, `}few_id ${direction} LIMIT ${limit}) AS few
      CROSS JOIN ${own} t WHERE t.id = few.few_id`;
  }
  if (rest === undefined && !isElsewhere) {
    return sql<Row<T>>`SELECT ${allColumns(table, "t")} FROM ${own} t
      WHERE ${all([...foundBy(dialect, branch, table, "t"), ...between("t", column("id"))])} ${byKey("t", "t.id")} LIMIT ${limit}`;
  }
  const source = sql`FROM ${sourceOf(dialect, table, branch, between("s", sql.raw(idOf)))} ${byKey("s", idOf)}`;
  const candidates = isElsewhere
    ? sql`(SELECT ${sql.raw(idOf)} AS candidate_id ${source} LIMIT ${mostRead}) c CROSS JOIN ${own} t`
    : sql`(SELECT s.* ${source} LIMIT ${mostRead}) t`;
  const found = isElsewhere ? sql<boolean>`t.id = c.candidate_id AND ${fits}` : fits;
  return sql<Row<T>>`SELECT * FROM (
      SELECT ${allColumns(table, "t")}, 0 AS reading_ended FROM ${candidates} WHERE ${found} ${byKey("t", isElsewhere ? "c.candidate_id" : "t.id")} LIMIT ${limit}
    ) fitting
    UNION ALL
    SELECT * FROM (
      SELECT ${allColumns(table, "t")}, 1 AS reading_ended FROM (SELECT ${sql.raw(idOf)} AS last_id ${source} LIMIT 1 OFFSET ${mostRead - 1}) e
      JOIN ${own} t ON t.id = e.last_id
    ) ending
    LIMIT ${limit}`;
}

/**
 * Returns the next `limit` + 1 matching rows of an index range; fewer at its end or after `mostRead` rows.
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
  const { sort, by_ids, descending } = stretch;
  const text = branchStatement(dialect, table, wanted, branch, stretch, limit + 1);
  const read = await statement<Row<T> & { id: string; reading_ended?: number }>(
    dialect,
    table,
    () => text as RawBuilder<never>,
  ).all(readConnection(database, { by_parts: branch.words?.inside }), {});
  let ended: Row<T> | undefined;
  const rows: Row<T>[] = [];
  for (const { reading_ended, ...row } of read) {
    if (reading_ended) ended = row as unknown as Row<T>;
    else rows.push(row as unknown as Row<T>);
  }
  const place = (row: Row<T>) => placeIn(sort, row);
  const sign = descending ? -1 : 1;
  rows.sort((a, b) => sign * comparedPlaces(place(a), place(b), by_ids));
  if (rows.length >= limit) ended = rows.length > limit || ended !== undefined ? rows.at(-1) : undefined;
  return { rows, end: ended && place(ended) };
}
