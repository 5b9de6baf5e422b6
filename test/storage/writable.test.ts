import assert from "node:assert/strict";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { describe, test } from "node:test";
import { aUser } from "../support/builders.ts";
import { databases } from "../support/databases.ts";

describe("F-7: readiness tests whether the database accepts writes (reliability finding 7)", () => {
  for (const database of databases) {
    test(`${database.name} that accepts writes is ready, again and again`, async () => {
      const store = await database.open();
      await store.proveWritable();
      await store.proveWritable();
    });
  }

  test("an SQLite file that is not writable is detected", async () => {
    const [sqlite] = databases;
    assert.ok(sqlite);
    const store = await sqlite.open();
    await store.transaction(async ({ connection }) => {
      await connection.run("PRAGMA query_only = 1", []);
    });
    await assert.rejects(store.proveWritable(), { name: "UnavailableError", kind: "read_only" });
    await assert.rejects(aUser(store), { name: "UnavailableError", kind: "read_only" });
  });

  test("a full disk under SQLite is detected before a commit fails, and so is its recovery", async (t) => {
    const [sqlite] = databases;
    assert.ok(sqlite);
    const store = await sqlite.open();
    await store.proveWritable();
    const { statfsSync } = fs;
    let bavail = 0;
    t.mock.method(fs, "statfsSync", (path: string) => ({ ...statfsSync(path), bsize: 4096, bavail }));
    syncBuiltinESMExports();
    t.after(() => {
      t.mock.restoreAll();
      syncBuiltinESMExports();
    });
    await assert.rejects(store.proveWritable(), { name: "UnavailableError", kind: "full" });
    bavail = 256;
    await store.proveWritable();
  });

  test("an SQLite database that reached its size limit is detected by its writes", async () => {
    const [sqlite] = databases;
    assert.ok(sqlite);
    const store = await sqlite.open();
    await store.transaction(async ({ connection }) => {
      await connection.first("PRAGMA max_page_count = 1", []);
    });
    const tries = async () => {
      for (let made = 0; made < 2000; made++) {
        await aUser(store, { email: `u${made}@example.com`, name: "x".repeat(200) });
      }
    };
    await assert.rejects(tries(), { name: "UnavailableError", kind: "full" });
  });
});
