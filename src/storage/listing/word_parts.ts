/**
 * Finds words by prefix or, with trigrams, by any substring (migration 37). SQLite stores trigrams in a
 * full-text table, PostgreSQL in indexes of the extension pg_trgm, if it is available.
 */
import { type RawBuilder, sql } from "kysely";
import type { TableName } from "../../records/definition/definition.ts";
import type { Database } from "../database/database.ts";
import type { Dialect } from "../database/dialect.ts";
import { endOfPrefix, valueTable, wordTable } from "../database/search_words.ts";

export interface FoundBy {
  readonly term: string;
  readonly inside: boolean;
  /** The term encodes an attribute value. */
  readonly is_value?: true;
}

function trigramsOf(term: string): string {
  const characters = [...term];
  const all = characters.slice(2).map((_, index) => characters.slice(index, index + 3).join(""));
  return [...new Set(all)].map((trigram) => `"${trigram}"`).join(" AND ");
}

/** Returns a FROM item `w` with the words that the term finds. */
export function wordsFound(
  dialect: Dialect,
  table: TableName,
  { term, inside, is_value }: FoundBy,
): RawBuilder<unknown> {
  if (is_value) return sql`${sql.table(valueTable(table))} w WHERE w.word = ${term}`;
  const words = sql.table(wordTable(table));
  if (!inside) return sql`${words} w WHERE w.word >= ${term} AND w.word < ${endOfPrefix(term)}`;
  const part = `%${term}%`;
  if (dialect.name === "postgres") return sql`${words} w WHERE w.word LIKE ${part}`;
  const parts = sql.table(`${table}_parts`);
  // CROSS JOIN makes SQLite start with the trigrams.
  return sql`${parts} CROSS JOIN ${sql.table(`${table}_spellings`)} d ON d.number = ${parts}.rowid
    CROSS JOIN ${words} w ON w.word = d.word
    WHERE ${parts} MATCH ${trigramsOf(term)} AND d.word LIKE ${part}`;
}

/** Returns whether an index finds words by any substring. */
export function hasParts(database: Database): Promise<boolean> {
  if (database.dialect.name === "sqlite") return Promise.resolve(true);
  const { known } = database;
  known.has_word_parts ??= findParts(database).catch((error: unknown) => {
    known.has_word_parts = undefined;
    throw error;
  });
  return known.has_word_parts;
}

async function findParts({ driver }: Database): Promise<boolean> {
  const rows = await driver.queryUnprepared(
    "SELECT 1 FROM pg_catalog.pg_indexes WHERE schemaname = current_schema() AND indexname = $1",
    ["users_words_parts"],
  );
  return rows.length > 0;
}
