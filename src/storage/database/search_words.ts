/**
 * Stores the words by which records can be found, in the transaction of each change. Words of fields are in
 * tables such as `users_words`, and attribute values in tables such as `users_values`.
 */
import { sql } from "kysely";
import { fieldsOf, type TableName, tables } from "../../records/definition/definition.ts";
import { attributeTables } from "../../records/names/attributes.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import { valueWord } from "../../records/rules/attributes.ts";
import type { Dialect } from "./dialect.ts";
import type { Connection } from "./driver.ts";
import { arg, type Statement, statement } from "./statement.ts";

const searchedFields: ReadonlyMap<TableName, readonly string[]> = new Map(
  (Object.keys(tables) as TableName[])
    .map((table) => {
      const searched = Object.entries(fieldsOf(table)).filter(([, { searchable }]) => searchable);
      return [table, searched.map(([name]) => name)] as const;
    })
    .filter(([, names]) => names.length > 0),
);

function searchedFieldsOf(table: TableName): readonly string[] {
  return searchedFields.get(table) ?? [];
}

export const searchableTables: ReadonlySet<TableName> = new Set(searchedFields.keys());

export const valueTables: ReadonlySet<TableName> = new Set(Object.values(attributeTables));

export const wordedTables: ReadonlySet<TableName> = new Set([...searchableTables, ...valueTables]);

const longestWord = 32;

const separators = /[^\p{L}\p{N}\p{M}]+/u;
const onlyWord = /^[\p{L}\p{N}\p{M}]+$/u;
const accents = /[\u0300-\u036f]/g;

/** Returns the distinct words of a text in lower case without accents (NFKC). */
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

/** Returns whether the text consists only of letters, digits and combining marks. */
export function isWord(text: string): boolean {
  return onlyWord.test(text);
}

const mostTerms = 8;

const shortestPart = 3;

/** Returns whether a search term may match inside a word, and not only its beginning. */
export function isPart(term: string): boolean {
  return [...term].length >= shortestPart;
}

function saysMore(one: string, other: string): boolean {
  if (one === other) return false;
  return isPart(other) ? one.includes(other) : !isPart(one) && one.startsWith(other);
}

/**
 * Returns the words of a search text, without those that match whenever another one does; undefined if there
 * are none.
 */
export function termsOf(search: string): string[] | undefined {
  const words = wordsOf(search);
  const terms = words.filter((word) => !words.some((other) => saysMore(other, word)));
  return terms.length === 0 ? undefined : terms.slice(0, mostTerms);
}

function wordsOfRow(row: object, fields: readonly string[]): string[] {
  const values = row as Readonly<Record<string, unknown>>;
  const texts = fields.map((name) => values[name]);
  return wordsOf(texts.filter((value) => typeof value === "string").join(" "));
}

/** Returns a string that sorts after every string with this prefix. */
export function endOfPrefix(prefix: string): string {
  return `${prefix}\u{10FFFF}`;
}

/** Returns the name of the table with the search words of this table. */
export function wordTable(table: TableName): string {
  return `${table}_words`;
}

/** Returns the name of the table with the attribute values of this table. */
export function valueTable(table: TableName): string {
  return `${table}_values`;
}

function valueWordsOfRow({ attributes }: { readonly attributes?: unknown }): string[] {
  const words = Object.entries(isObject(attributes) ? attributes : {}).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each) => valueWord(name, each)),
  );
  return [...new Set(words.filter((word) => word !== undefined))];
}

interface Kept {
  readonly name: (table: TableName) => string;
  readonly fields: (table: TableName) => readonly string[];
  readonly of: (row: object, fields: readonly string[]) => string[];
}

const allKept: readonly Kept[] = [
  { name: wordTable, fields: searchedFieldsOf, of: wordsOfRow },
  {
    name: valueTable,
    fields: (table) => (valueTables.has(table) ? ["attributes"] : []),
    of: valueWordsOfRow,
  },
];

/** Returns whether the search words or attribute values of the table depend on any of these fields. */
export const haveWords = (table: TableName, names: readonly string[]): boolean =>
  allKept.some(({ fields }) => fields(table).some((name) => names.includes(name)));

interface Searched {
  readonly id: string;
}

export interface WordKeeper {
  add(
    connection: Connection,
    table: TableName,
    rows: readonly Searched[],
    names?: readonly string[],
  ): Promise<void>;
  replace(connection: Connection, table: TableName, row: Searched, names: readonly string[]): Promise<void>;
}

export function wordKeeper(dialect: Dialect): WordKeeper {
  const statements = new Map<string, { add: Statement<unknown>; forget: Statement<unknown> }>();
  const of = (table: TableName, name: string) => {
    const words = sql.table(name);
    const made = statements.get(name) ?? {
      add: statement(
        dialect,
        table,
        () => sql`INSERT INTO ${words} (record_id, word)
          SELECT w.id, w.word FROM (${dialect.rowsOf(arg.json("words"), { id: "uuid", word: "string" })}) AS w`,
      ),
      forget: statement(dialect, table, () => sql`DELETE FROM ${words} WHERE record_id = ${arg.uuid("id")}`),
    };
    statements.set(name, made);
    return made;
  };
  const keptFor = (table: TableName, names: readonly string[] | undefined) =>
    allKept.filter(({ fields }) => fields(table).some((name) => names?.includes(name) ?? true));
  const keeper: WordKeeper = {
    async add(connection, table, rows, names) {
      for (const kept of keptFor(table, names)) {
        const words = rows.flatMap((row) => kept.of(row, kept.fields(table)).map((word) => [row.id, word]));
        if (words.length > 0) await of(table, kept.name(table)).add.run(connection, { words });
      }
    },
    async replace(connection, table, row, names) {
      for (const kept of keptFor(table, names))
        await of(table, kept.name(table)).forget.run(connection, { id: row.id });
      await keeper.add(connection, table, [row], names);
    },
  };
  return keeper;
}
