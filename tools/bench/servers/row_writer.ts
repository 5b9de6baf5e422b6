import { fieldsOf, type NewRow, type TableName } from "../../../src/records/definition/definition.ts";
import { postgres, sqlite } from "../../../src/storage/database/dialect.ts";
import type { Connection } from "../../../src/storage/database/driver.ts";
import { wordKeeper, wordTable } from "../../../src/storage/database/search_words.ts";
import { arg, statement } from "../../../src/storage/database/statement.ts";
import type { Store } from "../../../src/storage/store.ts";

/** Writes many complete rows and their search words; each call is one transaction. */
export type WriteRows<T extends TableName> = (
  rows: readonly (NewRow<T> & { readonly id: string })[],
) => Promise<void>;

/** Bypasses the functions of the store. They write single rows, which would take minutes. */
export function rowWriter<T extends TableName>(store: Store, table: T): WriteRows<T> {
  const words = wordKeeper(store.dialect === "sqlite" ? sqlite : postgres);
  const insert = store.dialect === "sqlite" ? insertIntoSqlite(table) : insertIntoPostgres(table);
  return (rows) =>
    store.transaction(async ({ connection }) => {
      await insert(connection, rows);
      await words.add(connection, table, rows);
    });
}

/**
 * Runs `work`, which writes the search words of many rows. PostgreSQL writes them several times as fast
 * without indexes and constraints on their table, which are recreated afterwards.
 */
export async function writingWords(store: Store, table: TableName, work: () => Promise<void>): Promise<void> {
  if (store.dialect === "sqlite") return work();
  const words = wordTable(table);
  const run = (statements: readonly string[]) =>
    store.transaction(async ({ connection }) => {
      for (const text of statements) await connection.run(text, []);
    });
  const [constraints, indexes] = await store.transaction(async ({ connection }) => [
    await connection.all(
      `SELECT conname AS name, pg_get_constraintdef(oid) AS text FROM pg_constraint
       WHERE conrelid = $1::text::regclass AND contype IN ('p', 'f') ORDER BY contype DESC`,
      [words],
    ),
    await connection.all(
      `SELECT indexname AS name, indexdef AS text FROM pg_indexes
       WHERE tablename = $1 AND indexname NOT IN (SELECT conname FROM pg_constraint)`,
      [words],
    ),
  ]);
  await run([
    ...constraints.map(({ name }) => `ALTER TABLE ${words} DROP CONSTRAINT ${name}`),
    ...indexes.map(({ name }) => `DROP INDEX ${name}`),
  ]);
  await work();
  await run([
    ...constraints.map(({ name, text }) => `ALTER TABLE ${words} ADD CONSTRAINT ${name} ${text}`),
    ...indexes.map(({ text }) => String(text)),
  ]);
}

type Insert = (connection: Connection, rows: readonly object[]) => Promise<void>;

function insertIntoSqlite(table: TableName): Insert {
  const columns = Object.entries(fieldsOf(table)).map(([name, { kind }]) => [name, arg.of(kind, name)]);
  const one = statement(sqlite, table, (query) =>
    query.insertInto(table).values(Object.fromEntries(columns) as never),
  );
  return async (connection, rows) => {
    // With the server's small cache, index pages would be read repeatedly.
    await connection.all("PRAGMA cache_size = -1000000", []);
    for (const row of rows) await one.run(connection, row as Readonly<Record<string, unknown>>);
  };
}

function insertIntoPostgres(table: TableName): Insert {
  const text = `INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`;
  return async (connection, rows) => {
    await connection.run(text, [JSON.stringify(rows.map(plain), asJson)]);
  };
}

/** Copies Buffers to byte arrays, because `JSON.stringify` converts a Buffer before `asJson` gets it. */
function plain(row: object): object {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      Buffer.isBuffer(value) ? new Uint8Array(value) : value,
    ]),
  );
}

function asJson(_: string, value: unknown): unknown {
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : value;
}
