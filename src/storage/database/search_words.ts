/**
 * The words by which records are found. The verbs store them in a table for each searchable table
 * (`users_words` …), in the transaction of the change. A foreign key deletes them with their record.
 */
import { sql } from "kysely";
import { fieldsOf, type TableName, tables } from "../../records/definition/definition.ts";
import type { Dialect } from "./dialect.ts";
import type { Connection } from "./driver.ts";
import { arg, type Statement, statement } from "./statement.ts";

/** For each searchable table, the fields whose words find its records. */
const searchedFields: ReadonlyMap<TableName, readonly string[]> = new Map(
  (Object.keys(tables) as TableName[])
    .map((table) => {
      const searched = Object.entries(fieldsOf(table)).filter(([, { searchable }]) => searchable);
      return [table, searched.map(([name]) => name)] as const;
    })
    .filter(([, names]) => names.length > 0),
);

/** Returns the fields of a table whose words find its records; none if it cannot be searched. */
export function searchedFieldsOf(table: TableName): readonly string[] {
  return searchedFields.get(table) ?? [];
}

export const searchableTables: ReadonlySet<TableName> = new Set(searchedFields.keys());

/** Maximum significant characters of a word. */
const longestWord = 32;

const separators = /[^\p{L}\p{N}\p{M}]+/u;
const onlyWord = /^[\p{L}\p{N}\p{M}]+$/u;
const accents = /[\u0300-\u036f]/g;

/**
 * Returns the words of a text: runs of letters and digits (Unicode) without case, accents and compatibility
 * forms (NFKC), without duplicates, truncated to 32 characters.
 */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize("NFKD")
    .toLowerCase()
    .normalize("NFKD")
    .replace(accents, "")
    .replaceAll("ς", "σ")
    .normalize("NFKC");
  const words = plain.split(separators).filter((word) => word !== "");
  return [...new Set(words.map((word) => [...word].slice(0, longestWord).join("")))];
}

/** Whether the text consists only of letters and digits. */
export function isWord(text: string): boolean {
  return onlyWord.test(text);
}

/** Maximum words of a search. */
const mostTerms = 8;

/** Minimum characters of a term that may match inside a word. */
const shortestPart = 3;

/** Whether the term matches anywhere in a word, not only at its start. */
export function isPart(term: string): boolean {
  return [...term].length >= shortestPart;
}

/** Returns whether every record that `other` finds is also found by `one`. */
function saysMore(one: string, other: string): boolean {
  if (one === other) return false;
  return isPart(other) ? one.includes(other) : !isPart(one) && one.startsWith(other);
}

/**
 * Returns the words of a search, eight at most, without those that another word implies. Undefined if it
 * contains no word.
 */
export function termsOf(search: string): string[] | undefined {
  const words = wordsOf(search);
  const terms = words.filter((word) => !words.some((other) => saysMore(other, word)));
  return terms.length === 0 ? undefined : terms.slice(0, mostTerms);
}

/** Returns the words of a record of a searchable table. */
function wordsOfRow(table: TableName, row: object): string[] {
  const values = row as Readonly<Record<string, unknown>>;
  const texts = searchedFieldsOf(table).map((name) => values[name]);
  return wordsOf(texts.filter((value) => typeof value === "string").join(" "));
}

/** Returns a text that sorts after every text beginning with `prefix`, and after every letter and digit. */
export function endOfPrefix(prefix: string): string {
  return `${prefix}\u{10FFFF}`;
}

/**
 * Returns the name of the table that holds the words of this table's records, with the columns `word` and
 * `record_id`.
 */
export function wordTable(table: TableName): string {
  return `${table}_words`;
}

interface Searched {
  readonly id: string;
}

export interface WordKeeper {
  /** Adds the words of records that have none yet. */
  add(connection: Connection, table: TableName, rows: readonly Searched[]): Promise<void>;
  /** Replaces the words of a record with those of its current row. */
  replace(connection: Connection, table: TableName, row: Searched): Promise<void>;
}

export function wordKeeper(dialect: Dialect): WordKeeper {
  const statements = new Map<TableName, { add: Statement<unknown>; forget: Statement<unknown> }>();
  const of = (table: TableName) => {
    const words = sql.table(wordTable(table));
    const made = statements.get(table) ?? {
      add: statement(
        dialect,
        table,
        () => sql`INSERT INTO ${words} (record_id, word)
          SELECT w.id, w.word FROM (${dialect.rowsOf(arg.json("words"), { id: "uuid", word: "string" })}) AS w`,
      ),
      forget: statement(dialect, table, () => sql`DELETE FROM ${words} WHERE record_id = ${arg.uuid("id")}`),
    };
    statements.set(table, made);
    return made;
  };
  const keeper: WordKeeper = {
    async add(connection, table, rows) {
      const words = rows.flatMap((row) => wordsOfRow(table, row).map((word) => [row.id, word]));
      if (words.length > 0) await of(table).add.run(connection, { words });
    },
    async replace(connection, table, row) {
      await of(table).forget.run(connection, { id: row.id });
      await keeper.add(connection, table, [row]);
    },
  };
  return keeper;
}
