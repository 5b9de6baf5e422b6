import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Client } from "pg";
import { UnavailableError } from "../../src/errors.ts";
import { migrations } from "../../src/storage/migrations/all_migrations.ts";
import { openPostgres } from "../../src/storage/postgres/driver.ts";
import { atEnd } from "../support/at_end.ts";
import { anApp, aUser, start } from "../support/builders.ts";
import { databases, openStoreAt } from "../support/databases.ts";
import { postgresDatabase } from "../support/postgres.ts";
import { until } from "../support/until.ts";

const database = databases.find(({ name }) => name === "PostgreSQL");

test("design 5: when PostgreSQL ends every connection, changes are noticed within a second", async () => {
  assert.ok(database);
  const address = await database.address();
  const errors: Error[] = [];
  const here = await openStoreAt(address, { onError: (error) => errors.push(error) });
  await here.migrate(start);
  const app = await anApp(here);
  await here.findClient(app.client_id);
  const there = await openStoreAt(address, { onError: () => {} });

  await there.transaction(async ({ connection }) => {
    // An autovacuum worker may be connected, and this test must not end it.
    const clients = "datname = current_database() AND backend_type = 'client backend'";
    const ended = await connection.all(
      `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${clients} AND pid <> pg_backend_pid()`,
      [],
    );
    const pids = ended.map(({ pid }) => pid).join(",");
    await until(async () => {
      await connection.all("SELECT pg_stat_clear_snapshot()", []);
      const left = await connection.all(`SELECT pid FROM pg_stat_activity WHERE pid IN (${pids})`, []);
      return left.length === 0;
    }, "every connection has ended");
  });
  // By then, the pools have noticed that their connections are closed.
  await nextTurn();
  await there.update("oauth_apps", { id: app.id }, { name: "Renamed meanwhile" });
  const nameHere = async () => (await here.findClient(app.client_id))?.app.name;
  await until(async () => (await nameHere()) === "Renamed meanwhile", "the change is seen");
  assert.ok(errors.length > 0);

  // Both processes listen again.
  const isKept = async () => {
    const first = await here.findClient(app.client_id);
    return first === (await here.findClient(app.client_id));
  };
  await until(isKept, "what is cached is believed again");
  let heard = 0;
  here.onChange(() => {
    heard++;
  });
  await there.update("oauth_apps", { id: app.id }, { name: "Renamed again" });
  await until(() => heard > 0, "the notice arrives");
  await until(async () => (await nameHere()) === "Renamed again", "the change is seen");
});

test("F-41: the isolation level and date style set on the database do not affect reads or locks", async () => {
  const { url, drop } = await postgresDatabase(undefined, {
    default_transaction_isolation: "repeatable read",
    DateStyle: "German, DMY",
  });
  atEnd(drop);
  const stores = await Promise.all(Array.from({ length: 4 }, () => openStoreAt({ kind: "postgres", url })));
  // A transaction that waits for the lock sees rows written before it was granted.
  const done = await Promise.all(stores.map((store) => store.migrate(start)));
  assert.deepEqual(
    done.flat().map(({ version }) => version),
    migrations.map(({ version }) => version),
  );
  const [store = assert.fail()] = stores;
  const user = await aUser(store, { last_login_at: start });
  assert.deepEqual(await store.find("users", { id: user.id }), user);
});

for (const profile of ["native", "serializable"] as const) {
  test(`F-41: another schema in the search path does not hide the tables or get a second set, in ${profile}`, async () => {
    const { url, drop } = await postgresDatabase();
    atEnd(drop);
    const store = await openStoreAt({ kind: "postgres", url, profile });
    await store.migrate(start);
    const user = await aUser(store);
    const client = new Client(url);
    await client.connect();
    atEnd(() => client.end());
    await client.query("CREATE SCHEMA AUTHORIZATION CURRENT_USER");
    const later = await openStoreAt({ kind: "postgres", url, profile });
    await assert.rejects(
      later.migrate(start),
      /the tables are in the schema "public", but new ones .* search_path = public/,
    );
    assert.deepEqual(await later.find("users", { id: user.id }), user);
    assert.deepEqual(await store.find("users", { id: user.id }), user);
  });

  test(`F-6: a transaction over its time limit is a database error, and migrations have no limit, in ${profile}`, async () => {
    const { url, drop } = await postgresDatabase(undefined, { transaction_timeout: "200ms" });
    atEnd(drop);
    const driver = await openPostgres(url, { profile });
    atEnd(driver.close);
    const pause = (options = {}) =>
      driver.transaction((tx) => tx.all("SELECT pg_sleep(0.6), 1 AS one", []), options);
    await assert.rejects(
      pause(),
      (error) => error instanceof UnavailableError && error.code === "25P04" && error.kind === "slow",
    );
    const [row] = (await pause({ maxWait: 0 })) as { one: number }[];
    assert.equal(row?.one, 1);
  });
}

test("opening an unavailable PostgreSQL fails, and does not hang the process", async () => {
  const nowhere = { kind: "postgres", url: "postgres://nobody:none@127.0.0.1:1/none" } as const;
  await assert.rejects(openStoreAt(nowhere), { code: "ECONNREFUSED" });
});
