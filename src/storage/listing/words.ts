/** Rows found by their words, in the order of the words. */
import { type RawBuilder, sql } from "kysely";
import type { Row, TableName } from "../../records/definition.ts";
import type { Database } from "../database.ts";
import { firstId } from "../ids.ts";
import { allColumns, statement } from "../statement.ts";
import { asking, mostRead, remaining, type Wanted } from "./branches.ts";
import { endOfPrefix, wordTable } from "./search_words.ts";

/** A record at the word by which it was found, and the term of the search that led there. */
export interface WordPlace {
  readonly id: string;
  readonly word: string;
  readonly term: string;
}

/** Words are counted no further than this to tell which of several terms finds the fewest. */
const mostCounted = 500;

/**
 * The term that the fewest words begin with, as far as that is worth counting: the others are asked of what
 * it finds.
 */
export async function chosenTerm(
  database: Database,
  table: TableName,
  terms: readonly string[],
): Promise<string> {
  const longestFirst = terms.toSorted((a, b) => b.length - a.length);
  const [only = ""] = longestFirst;
  if (terms.length < 2) return only;
  const counted = await Promise.all(
    longestFirst.map(async (term) => {
      const count = sql<{ found: number }>`SELECT count(*) AS found FROM (
        SELECT 1 FROM ${sql.table(wordTable(table))} w
        WHERE w.word >= ${term} AND w.word < ${endOfPrefix(term)} LIMIT ${mostCounted}) counted`;
      const [row] = await statement<{ found: number }>(database.dialect, table, () => count).all(
        asking(database),
        {},
      );
      return { term, found: Number(row?.found) };
    }),
  );
  return counted.reduce((least, each) => (each.found < least.found ? each : least)).term;
}

/**
 * The next rows a word of which begins with `term` and that fit otherwise, each at the first such word of it.
 * `next` leads on; there may be fewer rows than `limit` all the same (see `ListingRules`).
 */
export async function readWords<T extends TableName>(
  database: Database,
  table: T,
  wanted: Wanted<T>,
  term: string,
  from: WordPlace | undefined,
  limit: number,
): Promise<{ rows: Row<T>[]; next: WordPlace | undefined }> {
  const { dialect } = database;
  const words = sql.table(wordTable(table));
  const uuid = (id: string) => dialect.encode("uuid", id);
  const { word, id } = from ?? { word: term, id: firstId };
  const source = sql`SELECT w.word AS found_word, w.record_id FROM ${words} w
    WHERE w.word >= ${word} AND w.word < ${endOfPrefix(term)} AND (w.word, w.record_id) > (${word}, ${uuid(id)})
    ORDER BY w.word, w.record_id`;
  const first = sql<boolean>`NOT EXISTS (SELECT 1 FROM ${words} w
    WHERE w.record_id = t.id AND w.word >= ${term} AND w.word < c.found_word LIMIT 1 OFFSET 0)`;
  const rest = remaining(dialect, table, wanted, {}, term) ?? sql<boolean>`true`;
  // CROSS JOIN is how SQLite is told to begin with the words.
  const joined = (candidates: RawBuilder<unknown>, ended: number) =>
    sql`SELECT ${allColumns(table, "t")}, c.found_word, ${sql.lit(ended)} AS reading_ended FROM (${candidates}) c
      CROSS JOIN ${sql.table(table)} t WHERE t.id = c.record_id`;
  const text = sql`SELECT * FROM (
      ${joined(sql`${source} LIMIT ${mostRead}`, 0)} AND ${first} AND ${rest}
      ORDER BY c.found_word, c.record_id LIMIT ${limit + 1}
    ) fitting
    UNION ALL
    SELECT * FROM (${joined(sql`${source} LIMIT 1 OFFSET ${mostRead - 1}`, 1)}) ending
    LIMIT ${limit + 1}`;
  type Found = Row<T> & { id: string; found_word: string; reading_ended: number };
  const read = await statement<Found>(dialect, table, () => text as RawBuilder<never>).all(
    asking(database),
    {},
  );
  const ending = read.find(({ reading_ended }) => reading_ended);
  const fitting = read.filter(({ reading_ended }) => !reading_ended);
  const last = fitting.length > limit ? fitting[limit - 1] : ending;
  return {
    rows: fitting
      .slice(0, limit)
      .map(({ found_word: _, reading_ended: __, ...row }) => row as unknown as Row<T>),
    next: last && { id: last.id, word: last.found_word, term },
  };
}
