import assert from "node:assert/strict";
import { closeSync, copyFileSync, openSync, statSync, truncateSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { copySqlite } from "../../src/storage/sqlite/file.ts";
import { openStore } from "../../src/storage/store.ts";
import { aUser, start } from "../support/builders.ts";
import { temporaryFolder } from "../support/temp.ts";
import { until } from "../support/until.ts";

const damaged = {
  name: "UnavailableError",
  kind: "damaged",
  message: /stop the server, and restore a backup/,
};

/** Creates a database in which the first page of one table is not a table page. */
async function damagedAt(table: string): Promise<string> {
  const path = join(temporaryFolder(), "postern.db");
  const store = await openStore({ kind: "sqlite", path });
  await store.migrate(start);
  await aUser(store);
  await store.close();
  const file = new DatabaseSync(path);
  const { rootpage } = file.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").get(table) as {
    rootpage: number;
  };
  const { page_size } = file.prepare("PRAGMA page_size").get() as { page_size: number };
  file.close();
  const handle = openSync(path, "r+");
  writeSync(handle, Buffer.alloc(page_size, 0xff), 0, page_size, (rootpage - 1) * page_size);
  closeSync(handle);
  return path;
}

describe("F-33: a damaged SQLite file is a database error, and readiness names it", () => {
  test("F-33: a request that meets the damage gets 503 and not 500, and from then on the server is not ready", async () => {
    const store = await openStore({ kind: "sqlite", path: await damagedAt("users") });
    await store.proveWritable();
    await assert.rejects(store.list("users"), damaged);
    await assert.rejects(store.proveWritable(), damaged);
    await assert.rejects(
      store.transaction((tx) => tx.list("users")),
      damaged,
    );
    await assert.rejects(
      store.transaction((tx) => tx.list("organizations")),
      damaged,
      "what has not met it is not stored in a file that no start opens",
    );
    assert.equal(await store.count("organizations"), 0);
    await store.close();
  });

  const cuts = [
    ["the database file was cut short", (path: string) => truncateSync(path, 8192)],
    ["the database file was emptied", (path: string) => truncateSync(path)],
    ["an older and smaller copy was written over it", (path: string) => copyFileSync(`${path}.copy`, path)],
    ["the write-ahead log was cut short", (path: string) => truncateSync(`${path}-wal`, 10_000)],
    ["the write-ahead log was emptied", (path: string) => truncateSync(`${path}-wal`)],
  ] as const;
  for (const [what, cut] of cuts) {
    test(`F-33: if ${what} while a server runs, no change is confirmed`, async () => {
      const path = join(temporaryFolder(), "postern.db");
      const store = await openStore({ kind: "sqlite", path });
      await store.migrate(start);
      copySqlite(path, `${path}.copy`);
      const fill = async () => {
        for (let number = 0; number < 60; number++) await aUser(store);
      };
      await fill();
      // The file now contains all pages so far, and the log later contains some that the file does not.
      const other = new DatabaseSync(path);
      other.exec("PRAGMA wal_checkpoint(FULL)");
      other.close();
      await fill();
      cut(path);
      await assert.rejects(aUser(store), {
        ...damaged,
        message: /was cut short: stop the server, and restore a backup/,
      });
      await assert.rejects(store.proveWritable(), damaged);
      await store.close().catch(() => {});
    });
  }

  test("F-33: if the first page is no longer SQLite, the process continues, and its cache is not used", async () => {
    const path = join(temporaryFolder(), "postern.db");
    const store = await openStore({ kind: "sqlite", path });
    await store.migrate(start);
    assert.ok(store.isCurrent());
    let heard = 0;
    store.onChange(() => {
      heard++;
    });
    // After a change by another process, the file is read again from its first page.
    const other = new DatabaseSync(path);
    other.exec("CREATE TABLE others (a); PRAGMA wal_checkpoint(TRUNCATE)");
    other.close();
    const handle = openSync(path, "r+");
    writeSync(handle, Buffer.alloc(4096, 0x55), 0, 4096, 0);
    closeSync(handle);
    await until(() => !store.isCurrent(), "the damage is met");
    assert.ok(heard > 0);
    await assert.rejects(store.proveWritable(), damaged);
    await assert.rejects(store.list("users"), { name: "UnavailableError" });
    await store.close().catch(() => {});
  });

  test("F-33: a change that meets the damage gets 503 too", async () => {
    const store = await openStore({ kind: "sqlite", path: await damagedAt("users") });
    await assert.rejects(aUser(store), damaged);
    await assert.rejects(store.proveWritable(), damaged);
    await store.close();
  });
});

test("F-24: a copy is private even if the empty file for it was removed", async (t) => {
  const path = join(temporaryFolder(), "postern.db");
  const store = await openStore({ kind: "sqlite", path });
  await store.migrate(start);
  await store.close();
  const umask = process.umask(0);
  t.after(() => process.umask(umask));
  copySqlite(path, `${path}.copy`);
  assert.equal(statSync(`${path}.copy`).mode & 0o777, 0o600);
  assert.equal(process.umask(), 0);
});
