import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import pg from "pg";
import { listenForChanges } from "../../src/storage/postgres/changes.ts";
import { patientLimits, postgresHosts } from "../../src/storage/postgres/hosts.ts";
import { accessOnly, anApp, aSecret, start, tokenOf } from "../support/builders.ts";
import { databases, openDriver, openStoreAt } from "../support/databases.ts";
import { until } from "../support/until.ts";

const database = databases.find(({ name }) => name === "PostgreSQL");

/** Returns the address of a database for this test alone. */
async function address(): Promise<{ readonly kind: "postgres"; readonly url: string }> {
  assert.ok(database);
  const found = await database.address();
  assert.ok(found.kind === "postgres" && found.url !== undefined);
  return { kind: "postgres", url: found.url };
}

describe("partial failures on PostgreSQL", () => {
  test("a look-up whose shared statement cannot be prepared gets the error, and the connection stays open", async () => {
    const driver = await openDriver(await address());
    const pid = async () => (await driver.first("SELECT pg_backend_pid() AS pid", []))?.pid;
    /** Returns the connections of concurrent look-ups: a single one if a connection is reserved for them. */
    const pids = async () => [...new Set(await Promise.all([pid(), pid(), pid()]))];
    await until(async () => (await pids()).length === 1, "a connection is kept for look-ups");
    const kept = await pids();
    const missing = "SELECT 1 FROM nowhere WHERE $1::text IS NOT NULL";
    const outcomes = await Promise.allSettled(["a", "b", "c"].map((each) => driver.first(missing, [each])));
    for (const outcome of outcomes) {
      assert.ok(outcome.status === "rejected");
      assert.match(String(outcome.reason), /relation "nowhere" does not exist/);
    }
    assert.deepEqual(await pids(), kept);
  });

  test("a statement that takes too long among many that share a commit is the only one refused", async () => {
    const driver = await openDriver(await address());
    await driver.run("CREATE TABLE marks (mark text)", []);
    const insert = (mark: string) =>
      driver.runBatch([{ sql: `INSERT INTO marks VALUES ($1)`, parameters: [mark] }]);
    const canceled = "DO $$ BEGIN RAISE EXCEPTION 'too long' USING ERRCODE = '57014'; END $$";
    const outcomes = await Promise.allSettled([
      insert("first"),
      insert("second"),
      driver.runBatch([{ sql: canceled, parameters: [] }]),
      insert("third"),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["fulfilled", "fulfilled", "rejected", "fulfilled"],
    );
    const rows = await driver.all("SELECT mark FROM marks ORDER BY mark", []);
    assert.deepEqual(
      rows.map(({ mark }) => mark),
      ["first", "second", "third"],
    );
  });

  test("machine tokens in one commit are stored by one statement, except those whose credential ended", async () => {
    const at = await database?.tables();
    assert.ok(at?.kind === "postgres");
    const store = await openStoreAt(at);
    const app = await anApp(store);
    const [active, ended] = [
      await aSecret(store, { app_id: app.id }),
      await aSecret(store, { app_id: app.id, revoked: true, revoked_at: start }),
    ];
    const stored = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        store.insertToken(tokenOf({ app_id: app.id, user_id: null, ...accessOnly }), {
          type: "secret",
          secret_id: index % 5 === 3 ? ended.id : active.id,
        }),
      ),
    );
    assert.deepEqual(
      stored,
      stored.map((_, index) => index % 5 !== 3),
    );
    const driver = await openDriver(at);
    const commands = "SELECT count(*)::int AS rows FROM oauth_tokens GROUP BY xmin, cmin";
    assert.deepEqual(await driver.all(commands, []), [{ rows: 16 }]);
    await driver.close();
  });

  test("design 5: a process is notified of its own commits too, because a confirmation may be lost", async () => {
    const store = await openStoreAt(await address());
    await store.migrate(start);
    const app = await anApp(store);
    let heard = 0;
    store.onChange(() => {
      heard++;
    });
    await store.update("oauth_apps", { id: app.id }, { name: "Renamed" });
    // The listener is called once when the change was answered, and once when the notification arrives.
    await until(() => heard >= 2, "the notice of its own change arrives");
  });

  describe("closing the listener for notifications while it reconnects", () => {
    let hosts: ReturnType<typeof postgresHosts>;
    before(async () => {
      hosts = postgresHosts({ urls: [(await address()).url], target: "any" }, patientLimits);
    });

    test("leaves no connection open", async () => {
      const gate = Promise.withResolvers<void>();
      let connecting = 0;
      const changes = await listenForChanges({
        hosts: {
          ...hosts,
          async prepare(client) {
            connecting++;
            if (connecting > 1) await gate.promise;
            return hosts.prepare(client);
          },
        },
        forget: () => {},
        onError: () => {},
        onLost: () => {},
      });
      const other = new pg.Client(hosts.options());
      await other.connect();
      const connections = async () => {
        const others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
        const { rows } = await other.query(`SELECT pid ${others} AND backend_type = 'client backend'`);
        return rows.map(({ pid }) => pid as number);
      };
      const [listening] = await connections();
      await other.query("SELECT pg_terminate_backend($1)", [listening]);
      await until(() => connecting === 2, "it connects again");
      await changes.close();
      gate.resolve();
      await until(async () => (await connections()).length === 0, "the new connection is gone");
      await other.end();
    });
  });
});
