/** Reads from a replica, reads that never use it, and the fallback when it fails. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { databaseOn } from "../../src/storage/database/database.ts";
import { openPostgres } from "../../src/storage/postgres/driver.ts";
import type { Replica } from "../../src/storage/postgres/replica.ts";
import { reportReads } from "../../src/storage/reports.ts";
import { openStore, type Store } from "../../src/storage/store.ts";
import { commandLine } from "../cli/terminal.ts";
import { aUser, later, start } from "../support/builders.ts";
import { type ControlledPostgres, controlledPostgres } from "../support/controlled_postgres.ts";
import { startTcpProxy, type TcpProxy, throughProxy } from "../support/tcp_proxy.ts";

/** Starts a proxy, and records the statements that pass through it. */
async function listenedTo(target: string): Promise<{ proxy: TcpProxy; said: () => string }> {
  let said = "";
  const filter = (direction: string) =>
    direction === "to_server"
      ? (data: Buffer) => {
          said += data.toString("latin1");
          return data;
        }
      : undefined;
  const proxy = await startTcpProxy({ target, filter });
  return {
    proxy,
    said() {
      const now = said;
      said = "";
      return now;
    },
  };
}

describe("a PostgreSQL read replica", () => {
  let primary: ControlledPostgres;
  let standby: ControlledPostgres;
  let ways: Record<"primary" | "standby", Awaited<ReturnType<typeof listenedTo>>>;
  let store: Store;
  const errors: string[] = [];

  before(async () => {
    primary = await controlledPostgres();
    const url = await primary.createDatabase("lists");
    standby = await primary.addStandby();
    const there = new URL(url);
    there.port = String(standby.port);
    ways = { primary: await listenedTo(url), standby: await listenedTo(there.href) };
    store = await openStore(
      { kind: "postgres", url: throughProxy(url, ways.primary.proxy) },
      {
        replica: { kind: "postgres", url: throughProxy(there.href, ways.standby.proxy) },
        onReplicaError: ({ message }) => errors.push(message),
      },
    );
    await store.migrate(start);
  });
  after(async () => {
    await store?.close();
    await Promise.all(Object.values(ways ?? {}).map(({ proxy }) => proxy.close()));
    await standby?.remove();
    await primary?.remove();
  });

  test("is used for lists and statistics, and for no other reads", async () => {
    const user = await aUser(store);
    await store.find("users", { id: user.id });
    await store.update("users", { id: user.id }, { name: "Ada" });
    await store.list("users");
    await store.count("users");
    assert.equal(ways.standby.said(), "");
    ways.primary.said();
    const { rows } = await store.listPage("users", { limit: 5 });
    assert.deepEqual(
      rows.map(({ name }) => name),
      ["Ada"],
    );
    await store.countListed("users", {});
    await store.countsByHour(null, ["sign_ins"], start, new Date());
    await store.busiestApps({ from: start, before: later(3600), limit: 3 });
    const [there, here] = [ways.standby.said(), ways.primary.said()];
    for (const table of ["users", "statistics"]) {
      assert.match(there, new RegExp(`FROM "?${table}`, "i"));
      assert.doesNotMatch(here, new RegExp(`FROM "?${table}`, "i"));
    }
    assert.match(here, /pg_current_wal_flush_lsn/);
    assert.deepEqual(errors, []);
  });

  test("is used only once it includes the caller's recent writes, however late it is", async () => {
    for (let written = 0; written < 20; written++) {
      const user = await aUser(store);
      const { rows } = await store.listPage("users", { limit: 200 });
      assert.ok(rows.some(({ id }) => id === user.id));
    }
    assert.deepEqual(errors, []);
    await standby.query("SELECT pg_wal_replay_pause()");
    const user = await aUser(store);
    ways.standby.said();
    for (let requested = 0; requested < 2; requested++) {
      const { rows } = await store.listPage("users", { limit: 200 });
      assert.ok(rows.some(({ id }) => id === user.id));
    }
    assert.doesNotMatch(ways.standby.said(), /FROM "?users/i);
    assert.deepEqual(errors.splice(0), ["the replica is more than 300 milliseconds behind the primary"]);
    await standby.query("SELECT pg_wal_replay_resume()");
  });

  test("is checked by doctor", async () => {
    const lineOf = async (port: number) => {
      const { run } = commandLine({
        POSTERN_DATABASE_URL: at(primary.port),
        POSTERN_DATABASE_READ_URL: at(port),
        POSTERN_SECRET_KEY: randomBytes(32).toString("hex"),
      });
      const { out } = await run(["doctor"]);
      return out.split("\n").find((line) => line.includes("read replica")) ?? out;
    };
    assert.match(await lineOf(standby.port), /^ok +read replica +is a standby of the database/);
    assert.match(await lineOf(primary.port), /^\S+ +read replica +the database server is not a standby/);
  });

  const at = (port: number) =>
    Object.assign(new URL(primary.url), { port: String(port), pathname: "/lists" }).href;

  /** Reads a list on a new server that has not excluded the replica yet; returns its reports. */
  async function listedAnew(replica: string): Promise<{ rows: number; heard: string[] }> {
    const heard: string[] = [];
    const { proxy } = ways.primary;
    const another = await openStore(
      { kind: "postgres", url: throughProxy(at(primary.port), proxy) },
      { replica: { kind: "postgres", url: replica }, onReplicaError: ({ message }) => heard.push(message) },
    );
    try {
      const { rows } = await another.listPage("users", { limit: 200 });
      return { rows: rows.length, heard };
    } finally {
      await another.close();
    }
  }

  test("is not used if it is the primary itself, was deleted, or was promoted", async () => {
    const rows = await store.count("users");
    assert.deepEqual(await listedAnew(at(primary.port)), {
      rows,
      heard: ["the database server is not a standby"],
    });
    const away = await listedAnew(at(1));
    assert.equal(away.rows, rows);
    assert.match(away.heard.join(), /^the database cannot be reached: /);
    await standby.query("SELECT pg_promote()");
    const promoted = await listedAnew(at(standby.port));
    assert.deepEqual(promoted, { rows, heard: ["the database server is not a standby"] });
  });

  test("is not used for five seconds after a failure, and then tried by one reader", async () => {
    const driver = await openPostgres(at(primary.port));
    let [now, tries, well] = [0, 0, false];
    const replica: Replica = {
      driver,
      async catchUp() {
        tries += 1;
        if (!well) throw new Error("not yet");
      },
      close: async () => {},
    };
    const heard: Error[] = [];
    const { countListed } = reportReads(
      databaseOn(driver),
      replica,
      (error) => heard.push(error),
      () => now,
    );
    const read = () => Promise.all([countListed("users", {}), countListed("users", {})]);
    await read();
    assert.ok(tries > 0);
    tries = 0;
    now = 4999;
    await read();
    assert.equal(tries, 0);
    now = 5001;
    await read();
    assert.equal(tries, 1);
    assert.equal(heard.length, 1);
    well = true;
    now = 11_000;
    await read();
    await read();
    assert.equal(tries, 4);
    await driver.close();
  });
});
