import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsOf, tables } from "../../src/records/definition/definition.ts";
import { copyInto, namedAddress, openSource } from "../../src/storage/copy/copy.ts";
import { tablesInOrder } from "../../src/storage/copy/rows.ts";
import type { Driver } from "../../src/storage/database/driver.ts";
import { lastId } from "../../src/storage/database/ids.ts";
import {
  searchableTables,
  valueTable,
  valueTables,
  wordTable,
} from "../../src/storage/database/search_words.ts";
import type { DatabaseAddress, Store } from "../../src/storage/store.ts";
import { aUser, insertMany } from "../support/builders.ts";
import { databases, everyDatabaseInForm, openDriver, openStoreAt } from "../support/databases.ts";
import { tableNames } from "./any_row.ts";
import { belongings } from "./belongings.ts";

const now = new Date("2026-11-28T09:00:00Z");

async function copy(from: DatabaseAddress, to: DatabaseAddress, onRows: () => void = () => {}) {
  const source = await openSource(from);
  try {
    const target = await openDriver(namedAddress(to));
    try {
      return await copyInto(source, target, { now, onRows });
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function everyRow(store: Store) {
  const lists = await Promise.all(tableNames.map((table) => store.list(table)));
  return Object.fromEntries(tableNames.map((table, index) => [table, lists[index]]));
}

async function within<R>(address: DatabaseAddress, work: (store: Store) => Promise<R>): Promise<R> {
  const store = await openStoreAt(address);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Creates a database with rows in every table, and in one table more than fit into one batch. */
async function filled(address: DatabaseAddress) {
  return within(address, async (store) => {
    await store.migrate(now);
    await belongings(store);
    await insertMany(store, "statistics", 1100, (index) => ({
      id: store.newId(now),
      kind: "sign_ins" as const,
      subject: lastId,
      hour: new Date(index * 3_600_000),
      count: index + 1,
    }));
    return everyRow(store);
  });
}

/** Returns the words by which the records of each searchable table are found. */
async function words(driver: Driver): Promise<unknown[]> {
  const found: unknown[] = [];
  const ofWords = tableNames.filter((table) => searchableTables.has(table)).map(wordTable);
  const ofValues = tableNames.filter((table) => valueTables.has(table)).map(valueTable);
  for (const table of [...ofWords, ...ofValues]) {
    const rows = await driver.all(`SELECT word, record_id FROM ${table}`, []);
    found.push(rows.map((row) => `${row.word} ${driver.dialect.decode("uuid", row.record_id)}`).sort());
  }
  return found;
}

async function wordsAt(address: DatabaseAddress): Promise<unknown[]> {
  const driver = await openDriver(address);
  try {
    return await words(driver);
  } finally {
    await driver.close();
  }
}

test("a table is copied only after the tables to which it refers", () => {
  const ordered = tablesInOrder();
  assert.deepEqual([...ordered].sort(), [...tableNames].sort());
  for (const [place, table] of ordered.entries())
    for (const { references } of Object.values(fieldsOf(table)))
      if (references !== undefined)
        assert.ok(
          ordered.slice(0, place).includes(references.table as never),
          `${table} before ${references.table}`,
        );
});

/** Names of tables with values derived from rows, and of the database's own tables. */
const derived = /^(sqlite_|postern_migrations$|postern_versions$)|_(words|values|spellings|parts|parts_.*)$/;

for (const from of databases) {
  test(`no object in a ${from.name} database is left out by a copy`, async () => {
    const store = await from.open();
    await store.close();
    const address = await from.address();
    const driver = await openDriver(address);
    const made = await openStoreAt(address);
    await made.migrate(now);
    const names =
      driver.dialect.name === "sqlite"
        ? "SELECT name FROM sqlite_master WHERE type = 'table'"
        : "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()";
    const found = (await driver.all(names, [])).map(({ name }) => String(name));
    await driver.close();
    assert.deepEqual(found.filter((name) => !derived.test(name)).sort(), Object.keys(tables).sort());
  });
}

for (const from of everyDatabaseInForm) {
  for (const to of everyDatabaseInForm) {
    if (from === to && from.name === "SQLite") continue;
    test(`a copy from ${from.title} to ${to.title} has every row unchanged, and its search words`, async () => {
      const [source, target] = [await from.tables(), await to.address()];
      const rows = await filled(source);
      for (const table of tableNames) assert.ok((rows[table]?.length ?? 0) > 0, `no row of ${table}`);
      const counts = await copy(source, target);
      assert.deepEqual(
        counts,
        Object.fromEntries(tablesInOrder().map((table) => [table, rows[table]?.length])),
      );
      assert.deepEqual(await within(target, everyRow), rows);
      assert.deepEqual(await wordsAt(target), await wordsAt(source));
      // The tables have the current version, and the database works like one created here.
      await within(target, async (store) => {
        assert.deepEqual(await store.migrate(now), []);
        await aUser(store);
      });
      assert.deepEqual(await within(source, everyRow), rows);
    });
  }
}

for (const database of databases) {
  test(`a copy into ${database.name} that fails midway leaves nothing, and the next one starts over`, async () => {
    const other = databases.find(({ name }) => name !== database.name) ?? database;
    const [source, target] = [await other.tables(), await database.address()];
    const rows = await filled(source);
    let batches = 0;
    const fail = () => {
      batches += 1;
      if (batches > tableNames.length / 2) throw new Error("cut off");
    };
    await assert.rejects(copy(source, target, fail), /cut off/);
    const driver = await openDriver(target);
    await assert.rejects(driver.all("SELECT * FROM users", []), /users/);
    await driver.close();
    await copy(source, target);
    assert.deepEqual(await within(target, everyRow), rows);
  });

  test(`a copy from ${database.name} is refused if another process uses either database, or the target has rows`, async () => {
    const other = databases.find(({ name }) => name !== database.name) ?? database;
    const [source, target] = [await database.tables(), await other.address()];
    await filled(source);
    const server = await openStoreAt(source);
    await assert.rejects(copy(source, target), /in use: first stop the server/);
    await server.close();
    const there = await openStoreAt(target);
    if (other.name === "PostgreSQL")
      await assert.rejects(copy(source, target), /the target is in use: first stop/);
    await there.migrate(now);
    const { id } = await aUser(there);
    await there.close();
    await assert.rejects(copy(source, target), /already has rows \(users\): copy into an empty database/);
    await within(target, (store) => store.remove("users", { id }));
    // Tables without rows count as an empty database.
    await copy(source, target);
    await assert.rejects(copy(source, target), /already has rows/);
  });

  test(`a ${database.name} database without tables, or with tables of another version, is not copied`, async () => {
    const [source, target] = [await database.address(), await database.address()];
    await assert.rejects(copy(source, target), /no Postern tables: there is nothing to copy/);
    await within(source, (store) => store.migrate(now, 40));
    await assert.rejects(copy(source, target), /at version 40, .*: run `postern migrate up` on it first/);
  });
}
