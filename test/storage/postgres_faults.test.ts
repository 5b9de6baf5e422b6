/** What becomes of the driver when PostgreSQL, or the way to it, fails. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { start } from "../support/builders.ts";
import { databases, openStoreAt } from "../support/databases.ts";

/** Resolves when it holds; fails after ten seconds. */
async function until(holds: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 10_000; !holds(); await wait(5)) {
    assert.ok(Date.now() < deadline, "it did not come true within ten seconds");
  }
}

const database = databases.find(({ name }) => name === "PostgreSQL");

test("F-1: a connection that breaks inside a transaction fails that transaction, not the process (reliability finding 1)", async () => {
  assert.ok(database);
  const address = await database.address();
  const errors: Error[] = [];
  const here = await openStoreAt(address, { onError: (error) => errors.push(error) });
  await here.migrate(start);
  const there = await openStoreAt(address, { onError: () => {} });
  const uncaught: Error[] = [];
  const listener = (error: Error) => uncaught.push(error);
  process.on("uncaughtException", listener);
  try {
    await assert.rejects(
      here.transaction(async ({ connection }) => {
        const row = await connection.first("SELECT pg_backend_pid() AS pid", []);
        await there.transaction(({ connection: other }) =>
          other.all("SELECT pg_terminate_backend($1)", [row?.pid]),
        );
        // Nothing is under way on the connection while it is ended.
        await until(() => errors.length > 0);
        await connection.first("SELECT 1 AS one", []);
      }),
    );
    // The next transaction has a connection of its own.
    assert.equal(await here.count("users"), 0);
    await here.transaction(async (tx) => assert.equal(await tx.count("users"), 0));
  } finally {
    process.off("uncaughtException", listener);
  }
  assert.deepEqual(uncaught, []);
});
