/**
 * The guarantees of the serializable profile on a database that aborts transactions and sends no
 * notifications.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Client } from "pg";
import { UnavailableError } from "../../src/errors.ts";
import type { User } from "../../src/records/definition/definition.ts";
import { migrations } from "../../src/storage/migrations/all_migrations.ts";
import { repeatedly } from "../../src/storage/postgres/conflicts.ts";
import { type DatabaseAddress, openStore, type Store } from "../../src/storage/store.ts";
import { atEnd } from "../support/at_end.ts";
import { accessOnly, anApp, aToken, aUser, later, start, tokenOf } from "../support/builders.ts";
import { conflictingProxy } from "../support/conflicting_proxy.ts";
import { openStoreAt, serializable, useInProfile } from "../support/databases.ts";
import { postgresDatabase } from "../support/postgres.ts";
import { templateVariable } from "../support/postgres_template.ts";
import { startTcpProxy, throughProxy } from "../support/tcp_proxy.ts";
import { until } from "../support/until.ts";

type PostgresAddress = Extract<DatabaseAddress, { kind: "postgres" }>;

/** Returns a user without storing it. */
async function userOf(store: Store): Promise<User> {
  const user = await aUser(store);
  await store.remove("users", { id: user.id });
  return user;
}

/** Creates a database with the tables of the native profile, without a proxy. */
async function aPostgres(): Promise<PostgresAddress> {
  const { url, drop } = await postgresDatabase(process.env[templateVariable], {
    default_transaction_isolation: "serializable",
  });
  atEnd(drop);
  await useInProfile(url);
  return { kind: "postgres", url, profile: "serializable" };
}

/** Opens a store behind a proxy that aborts no transaction unless instructed. */
async function aStore() {
  const address = await aPostgres();
  const proxy = await conflictingProxy(address.url, { seed: 1, share: 0 });
  atEnd(proxy.close);
  const store = await openStoreAt({ ...address, url: proxy.url });
  await store.migrate(start);
  return { address, proxy, store };
}

describe("the serializable profile of PostgreSQL", () => {
  test("F-34: a transaction that fails at its COMMIT is repeated until it succeeds, and is stored once", async () => {
    const { proxy, store } = await aStore();
    const user = await userOf(store);
    const before = proxy.conflicts();
    proxy.undoNext(6);
    let begun = 0;
    await store.transaction(async (tx) => {
      begun += 1;
      await tx.insert("users", user);
    });
    assert.deepEqual([begun, proxy.conflicts() - before], [7, 6]);
    assert.equal(await store.count("users", { id: user.id }), 1);
  });

  test("F-34: a transaction that conflicts again and again is a database error, and stores nothing", async () => {
    const { proxy, store } = await aStore();
    const user = await userOf(store);
    proxy.undoNext(1000);
    await assert.rejects(store.insert("users", user), (error) => {
      assert.ok(error instanceof UnavailableError);
      assert.equal(error.kind, "slow");
      return true;
    });
    proxy.undoNext(-1000);
    assert.equal(await store.count("users", { id: user.id }), 0);
  });

  test("F-34: a transaction is also repeated if its code takes the conflict for another error", async () => {
    const { store } = await aStore();
    const raise = "DO $$ BEGIN RAISE EXCEPTION 'restart transaction' USING ERRCODE = '40001'; END $$";
    let begun = 0;
    const answer = await store.transaction(async (tx) => {
      begun += 1;
      if (begun === 1) await tx.connection.run(raise, []).catch(() => {});
      return (await tx.connection.first("SELECT 'once more' AS said", []))?.said;
    });
    assert.deepEqual([begun, answer], [2, "once more"]);
  });

  test("F-34: a repeated transaction sees a row with the same key that was inserted meanwhile", async () => {
    const { store } = await aStore();
    const user = await userOf(store);
    let begun = 0;
    const found = await store.transaction(async (tx) => {
      begun += 1;
      const there = await tx.find("users", { email_key: user.email_key });
      // Another process adds the row after the first attempt has read.
      if (begun === 1) await store.insert("users", user);
      if (there === undefined) await tx.insert("users", { ...user, id: store.newId(start) });
      return there;
    });
    assert.equal(found?.id, user.id);
    assert.equal(begun, 2);
  });

  test("F-35: a commit whose confirmation was lost is not repeated", async () => {
    const address = await aPostgres();
    await (await openStoreAt(address)).migrate(start);
    let losing = false;
    let committed = false;
    const proxy = await startTcpProxy({
      target: address.url,
      filter: (direction) => (data) => {
        if (direction === "to_server") committed ||= losing && data.includes("COMMIT");
        else if (committed) {
          losing = false;
          proxy.cut();
          return undefined;
        }
        return data;
      },
    });
    atEnd(proxy.close);
    const store = await openStoreAt({ ...address, url: throughProxy(address.url, proxy) }, { onError() {} });
    const user = await userOf(store);
    let begun = 0;
    const work = store.transaction(async (tx) => {
      begun += 1;
      await tx.insert("users", user);
      losing = true;
    });
    await assert.rejects(work, UnavailableError);
    committed = false;
    assert.equal(begun, 1);
    await until(async () => (await store.count("users", { id: user.id })) === 1, "the row is there");
  });

  test("F-36: if cached versions cannot be checked for a second, caches are not used until they can be", async () => {
    const { address, proxy, store } = await aStore();
    const app = await anApp(store);
    const elsewhere = await openStore(address);
    const name = async () => (await store.findClient(app.client_id))?.app.name;
    assert.equal(await name(), app.name);
    proxy.stall();
    await until(() => !store.isCurrent(), "nothing is believed");
    await elsewhere.update("oauth_apps", { id: app.id }, { name: "Renamed meanwhile" });
    await elsewhere.close();
    proxy.resume();
    assert.equal(await name(), "Renamed meanwhile");
    await until(store.isCurrent, "what is cached is believed again");
    assert.equal(await name(), "Renamed meanwhile");
  });

  test("concurrent clean-ups by several servers delete all expired rows, and none fails", async () => {
    const { address, store } = await aStore();
    const other = await openStoreAt(address);
    const { app_id } = await aToken(store, { user_id: null, ...accessOnly });
    await store.transaction(async (tx) => {
      const row = { app_id, user_id: null, ...accessOnly, access_expires_at: later(1) };
      for (let index = 0; index < 600; index++) await tx.insert("oauth_tokens", tokenOf(row));
    });
    const swept = [store, other, store, other].map((each) => each.sweepSome(later(3600), { batch: 50 }));
    assert.equal(
      (await Promise.all(swept)).reduce((sum, count) => sum + count, 0),
      601,
    );
    assert.equal(await store.count("oauth_tokens"), 0);
  });

  test("F-40: a process with another profile is refused, and changes nothing", async () => {
    const { url, drop } = await postgresDatabase(process.env[templateVariable]);
    atEnd(drop);
    const native = await openStoreAt({ kind: "postgres", url });
    const other = await openStoreAt({ kind: "postgres", url, profile: "serializable" });
    const isMade = async () => {
      const [row] = await native.transaction((tx) =>
        tx.connection.all("SELECT to_regclass('postern_versions') IS NOT NULL AS made", []),
      );
      return row?.made;
    };
    await assert.rejects(other.migrate(start), /used in the profile native and this process in serializable/);
    assert.equal(await isMade(), false);
    await other.changeProfile();
    assert.deepEqual(await other.migrate(start), []);
    await assert.rejects(
      native.migrate(start),
      /POSTERN_DATABASE_PROFILE=serializable, or stop every process and run `postern migrate profile native`$/,
    );
    await native.changeProfile();
    assert.deepEqual(await native.migrate(start), []);
    await assert.rejects(other.migrate(start), /used in the profile native/);
  });

  test("F-40: an empty database gets the profile of the first process", async () => {
    const { url, drop } = await postgresDatabase();
    atEnd(drop);
    const first = await openStoreAt({ kind: "postgres", url, profile: "serializable" });
    await first.migrate(start);
    assert.deepEqual(await first.migrate(start), []);
    const native = await openStoreAt({ kind: "postgres", url });
    await assert.rejects(
      native.migrate(start),
      /used in the profile serializable and this process in native/,
    );
  });

  test("processes starting concurrently on an empty database migrate it together without an error", async () => {
    const address = await serializable.address();
    const stores = await Promise.all(Array.from({ length: 4 }, () => openStoreAt(address)));
    const done = await Promise.all(stores.map((store) => store.migrate(start)));
    const versions = done.flat().map(({ version }) => version);
    assert.deepEqual(
      versions,
      migrations.map(({ version }) => version),
    );
    await aUser(stores[0] ?? assert.fail());
  });

  for (const [code, made] of [
    ["42P07", "CREATE TABLE made (id INTEGER)"],
    ["42710", "CREATE TYPE made AS ENUM ('one')"],
  ] as const) {
    test(`a second attempt sees rows that another process committed, so that no third is needed (${code})`, async () => {
      const { url, drop } = await postgresDatabase();
      atEnd(drop);
      const client = new Client(url);
      await client.connect();
      atEnd(() => client.end());
      await client.query(made);
      let begun = 0;
      const once = repeatedly(async () => {
        begun += 1;
        if (begun === 1) await client.query(made);
        return begun;
      });
      assert.equal(await once, 2);
      begun = 0;
      const always = repeatedly(async () => {
        begun += 1;
        await client.query(made);
      });
      await assert.rejects(always, { code });
      assert.equal(begun, 2);
    });
  }
});
