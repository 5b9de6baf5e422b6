/** What the plan of a list asks the database before it chooses its branches. */
import { sql } from "kysely";
import type { TableName } from "../../records/definition.ts";
import type { Owner } from "../../records/ownership.ts";
import type { Database } from "../database.ts";
import { isOwnedBy } from "../ownership.ts";
import { statement } from "../statement.ts";
import { asking, type Branch, equals, mostSorted } from "./branches.ts";
import { endOfPrefix, wordTable } from "./search_words.ts";

/** Up to so many rows are read all to be put in order. */
const fewRows = 1000;

/** What an index that is not in the order of ids finds; undefined when that is much. */
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
  ).all(asking(database), {});
  return Number(row?.found) > fewRows ? undefined : { columns, few: true };
}

/** Whether somebody may read the newest row that an index finds by this column; one row is looked at. */
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
  ).all(asking(database), {});
  return Number(row?.theirs) === 1;
}

/** Words are counted no further than this to tell which of several terms finds the fewest. */
const mostCounted = 500;

/** How many words of records begin with the term, counted no further than `most`. */
async function countedWords(
  database: Database,
  table: TableName,
  term: string,
  most: number,
): Promise<number> {
  const count = sql<{ found: number }>`SELECT count(*) AS found FROM (
    SELECT 1 AS one FROM ${sql.table(wordTable(table))} w
    WHERE w.word >= ${term} AND w.word < ${endOfPrefix(term)} LIMIT ${most}) counted`;
  const [row] = await statement<{ found: number }>(database.dialect, table, () => count).all(
    asking(database),
    {},
  );
  return Number(row?.found);
}

/**
 * The term that the fewest words begin with, as far as that is worth counting: the others are asked of what
 * it finds.
 */
async function chosenTerm(database: Database, table: TableName, terms: readonly string[]): Promise<string> {
  const longestFirst = terms.toSorted((a, b) => b.length - a.length);
  const [only = ""] = longestFirst;
  if (terms.length < 2) return only;
  const counted = await Promise.all(
    longestFirst.map(async (term) => ({
      term,
      found: await countedWords(database, table, term, mostCounted),
    })),
  );
  return counted.reduce((least, each) => (each.found < least.found ? each : least)).term;
}

/** The records with such words; undefined when there are too many to put them in order. */
export async function branchByWords(
  database: Database,
  table: TableName,
  terms: readonly string[],
): Promise<Branch | undefined> {
  const term = await chosenTerm(database, table, terms);
  const found = await countedWords(database, table, term, mostSorted + 1);
  return found > mostSorted ? undefined : { columns: {}, words: term, few: true };
}
