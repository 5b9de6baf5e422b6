/** Queries that help to choose the index ranges (branches) of a list. */
import { sql } from "kysely";
import type { TableName } from "../../records/definition/definition.ts";
import type { Owner } from "../../records/definition/ownership.ts";
import type { Database } from "../database/database.ts";
import { isOwnedBy } from "../database/ownership.ts";
import { isPart } from "../database/search_words.ts";
import { statement } from "../database/statement.ts";
import { type Branch, equals, mostRead, mostSorted, readConnection, sourceOf } from "./branches.ts";
import { type FoundBy, hasParts, wordsFound } from "./word_parts.ts";

const fewRows = 1000;

/**
 * Returns a branch for the rows that have the values in `columns`; they are sorted after reading. Undefined if
 * there are more than `fewRows` such rows.
 */
export async function countedBranch(
  database: Database,
  table: TableName,
  columns: Branch["columns"],
): Promise<Branch | undefined> {
  const { dialect } = database;
  const conditions = Object.entries(columns).map(([name, value]) => equals(dialect, table, name, value));
  const [row] = await statement<{ found: number }>(
    dialect,
    table,
    () => sql<{ found: number }>`SELECT count(*) AS found FROM (
      SELECT 1 FROM ${sql.table(table)} t WHERE ${sql.join(conditions, sql` AND `)} LIMIT ${fewRows + 1}) counted`,
  ).all(readConnection(database), {});
  return Number(row?.found) > fewRows ? undefined : { columns, few: true };
}

/** Returns whether the caller may see the newest row with this value in the column. */
export async function newestIsTheirs(
  database: Database,
  table: TableName,
  name: string,
  value: unknown,
  owner: Owner,
): Promise<boolean> {
  const { dialect } = database;
  const [row] = await statement<{ theirs: number }>(
    dialect,
    table,
    () => sql<{
      theirs: number;
    }>`SELECT CASE WHEN ${isOwnedBy(dialect, table, owner)} THEN 1 ELSE 0 END AS theirs
      FROM (SELECT * FROM ${sql.table(table)} t WHERE ${equals(dialect, table, name, value)} ORDER BY t.id DESC LIMIT 1) t`,
  ).all(readConnection(database), {});
  return Number(row?.theirs) === 1;
}

async function countedWords(
  database: Database,
  table: TableName,
  found_by: FoundBy,
  most: number,
): Promise<number> {
  const { dialect } = database;
  const count = sql<{ found: number }>`SELECT count(*) AS found FROM (
    SELECT 1 AS one FROM ${wordsFound(dialect, table, found_by)} LIMIT ${most}) counted`;
  const [row] = await statement<{ found: number }>(dialect, table, () => count).all(
    readConnection(database, { by_parts: found_by.inside }),
    {},
  );
  return Number(row?.found);
}

/**
 * Returns PostgreSQL's estimate of the words that contain the term; 0 if they can be counted fast. The
 * trigram index reads all matches before it returns the first, so counting them would be slow.
 */
async function expectedWords(database: Database, table: TableName, found_by: FoundBy): Promise<number> {
  const { dialect } = database;
  if (dialect.name !== "postgres" || !found_by.inside) return 0;
  const text = sql`EXPLAIN (FORMAT JSON) SELECT 1 AS one FROM ${wordsFound(dialect, table, found_by)}`;
  const { sql: explained, parameters } = text.compile(dialect.builder);
  const [row] = await database.driver.queryUnprepared(explained, parameters);
  const [plan] = (row?.["QUERY PLAN"] ?? []) as { readonly Plan: { readonly "Plan Rows": number } }[];
  return plan?.Plan["Plan Rows"] ?? 0;
}

const mostCounted = 500;

async function chosenTerm(database: Database, table: TableName, terms: readonly FoundBy[]): Promise<FoundBy> {
  const longestFirst = terms.toSorted((a, b) => b.term.length - a.term.length);
  const [only = { term: "", inside: false }] = longestFirst;
  if (terms.length < 2) return only;
  const counted = await Promise.all(
    longestFirst.map(async (each) => ({
      each,
      found: await countedWords(database, table, each, mostCounted),
    })),
  );
  return counted.reduce((least, one) => (one.found < least.found ? one : least)).each;
}

/**
 * Returns the range of records with the most selective search term; undefined if there are too many to sort.
 */
export async function branchByWords(
  database: Database,
  table: TableName,
  terms: readonly string[],
  most_read?: number,
): Promise<Branch | undefined> {
  const inside = await hasParts(database);
  if (!inside && terms.some(isPart)) {
    const whole: Branch = { columns: {}, few: true };
    if (await areFew(database, table, [whole], Math.min(mostRead, most_read ?? mostRead))) return whole;
  }
  const ways = terms.map((term) => ({ term, inside: inside && isPart(term) }));
  const words = await chosenTerm(database, table, ways);
  return branchByWord(database, table, words, most_read);
}

/** Returns the range of records with this word; undefined if there are too many to sort. */
export async function branchByWord(
  database: Database,
  table: TableName,
  words: FoundBy,
  most_read: number | undefined,
): Promise<Branch | undefined> {
  if (most_read !== undefined) return { columns: {}, words: { ...words, most: most_read }, few: true };
  if ((await expectedWords(database, table, words)) > mostSorted) return undefined;
  const found = await countedWords(database, table, words, mostSorted + 1);
  return found > mostSorted ? undefined : { columns: {}, words, few: true };
}

/** Returns whether the ranges have at most `most` rows in total. */
export async function areFew(
  database: Database,
  table: TableName,
  branches: readonly Branch[],
  most: number,
): Promise<boolean> {
  let left = most;
  for (const branch of branches) {
    const text = sql<{ found: number }>`SELECT count(*) AS found FROM (
      SELECT 1 AS one FROM ${sourceOf(database.dialect, table, branch)} LIMIT ${left + 1}) counted`;
    const [row] = await statement<{ found: number }>(database.dialect, table, () => text).all(
      readConnection(database),
      {},
    );
    left -= Number(row?.found);
    if (left < 0) return false;
  }
  return true;
}
