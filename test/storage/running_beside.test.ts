/** A process runs while the next version changes the tables of PostgreSQL (docs/operations/upgrading.md). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Client } from "pg";
import { aUser } from "../support/builders.ts";
import { databases, openStoreAt } from "../support/databases.ts";
import { postgresDatabase } from "../support/postgres.ts";

const database = databases.find(({ name }) => name === "PostgreSQL");

async function connected(address: { readonly url: string }): Promise<Client> {
  const client = new Client({ connectionString: address.url });
  await client.connect();
  return client;
}

describe("during a migration of PostgreSQL", () => {
  test("processes whose tables get a new column keep reading, listing and changing rows", async () => {
    const address = await database?.address();
    assert.ok(address?.kind === "postgres");
    const store = await openStoreAt(address);
    await store.migrate(new Date());
    const { id } = await aUser(store);
    const use = async () => {
      assert.equal((await store.find("users", { id }))?.id, id);
      assert.equal((await store.list("users")).length, 1);
      assert.equal(await store.update("users", { id }, { name: "Ada" }), 1);
      assert.equal((await store.listPage("users", { limit: 5 })).rows.length, 1);
    };
    for (let round = 0; round < 20; round += 1) await use();
    const next = await connected(address);
    await next.query("ALTER TABLE users ADD COLUMN of_next_version TEXT");
    await next.end();
    for (let round = 0; round < 20; round += 1) await use();
    assert.ok(!("of_next_version" in ((await store.find("users", { id })) ?? {})));
  });

  test("reads do not wait for a migration that waits for a backup", async () => {
    const { url, drop } = await postgresDatabase();
    const store = await openStoreAt({ kind: "postgres", url });
    await store.migrate(new Date(), 22);
    const [backup, reader] = [await connected({ url }), await connected({ url })];
    try {
      await backup.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
      await backup.query("SELECT count(*) FROM users");
      const migrated = store.migrate(new Date());
      const waiting = async () =>
        (await reader.query("SELECT 1 FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'"))
          .rowCount;
      while (!(await waiting()));
      // The server's own statements wait longer than this for a lock.
      await reader.query("SET statement_timeout = 3500");
      await reader.query("SELECT count(*) FROM users");
      await backup.query("COMMIT");
      assert.ok((await migrated).length > 0);
    } finally {
      await backup.end();
      await reader.end();
      await store.close();
      await drop();
    }
  });
});
