import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { passwordHasher } from "../../src/crypto/passwords.ts";
import { revocationBacklog } from "../../src/oauth/core/revocation_backlog.ts";
import { createMetrics, metricNames } from "../../src/ops/metrics.ts";
import type { ProcessFigures } from "../../src/records/names/process_figures.ts";
import { hashObserver, watchServer } from "../../src/server/watch_server.ts";
import type { Store } from "../../src/storage/store.ts";
import { cheapHashing } from "../support/authorization_server.ts";
import {
  aCode,
  accessOnly,
  aRefusal,
  aSession,
  aToken,
  aUser,
  later,
  randomSignature,
  signingKeyOf,
  start,
} from "../support/builders.ts";
import { databases } from "../support/databases.ts";

/** Returns the values by name and labels, as a scrape reads them. */
async function scraped(metrics: Awaited<ReturnType<typeof createMetrics>>): Promise<Map<string, number>> {
  const lines = (await metrics.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.replace(/ \S+$/, ""), Number(line.split(" ").at(-1))]));
}

const figures = (): ProcessFigures => ({
  version: "1.2.3",
  started_at: start,
  workers: 1,
  hashing: { running: 0, waiting: 0, slots: 1, most_waiting: 4 },
  mail: { waiting: 3, failed: 0, failing: false },
  unwritten: { uses: 1, events: 2, refusals: 0, counts: 0 },
  swept_at: later(9),
  retention: { audit_events: 0, addresses: 0, refusals: 7 },
});

for (const database of databases)
  describe(`the metrics of a server's state on ${database.name}`, () => {
    let store: Store;
    let values: Map<string, number>;
    before(async () => {
      store = await database.open();
      await aUser(store);
      await aSession(store, { created_at: later(-8 * 86_400), expires_at: later(10) });
      await aCode(store, { expires_at: later(10) });
      await aToken(store, { user_id: null, ...accessOnly, access_expires_at: later(10) });
      await aToken(store, { user_id: null, ...accessOnly, access_expires_at: later(99) });
      await aRefusal(store, { expires_at: later(99) });
      await store.insert("signing_keys", signingKeyOf({ activates_at: start, retires_at: later(99) }));
      await store.insert("signing_keys", signingKeyOf({ activates_at: later(20) }));
      await store.insert("signing_keys", signingKeyOf({ activates_at: later(9000) }));
      const mail = { mail: "sealed", expires_at: later(9000) };
      await store.transaction((tx) => store.enqueueMail(tx, [randomSignature()], mail, later(7)));
      await store.transaction((tx) => store.enqueueMail(tx, [randomSignature()], mail, later(8)));
      await store.transaction((tx) => store.storeEnded(tx, "users", store.newId(start), later(6)));

      const metrics = await createMetrics();
      const onHash = hashObserver(metrics);
      const passwords = passwordHasher({ concurrency: 1, queue: 4, parameters: cheapHashing, onHash });
      await Promise.all([passwords.hash("one"), passwords.hash("two")]);
      const now = () => later(50);
      watchServer(metrics, {
        ...{ store, passwords, figures, now, unfinished: revocationBacklog() },
        retention: { audit_events: 365 },
      });
      values = await scraped(metrics);
    });
    const is = (name: string, value: number) => assert.equal(values.get(name), value, name);

    test("count expired rows that still exist, and no active ones", () => {
      is('postern_database_expired_rows{table="sessions"}', 1);
      is('postern_database_expired_rows{table="oauth_auth_codes"}', 1);
      is('postern_database_expired_rows{table="oauth_tokens"}', 1);
      is('postern_database_expired_rows{table="refusals"}', 0);
      is('postern_database_expired_rows{table="ephemera"}', 0);
    });

    test("include since when the signing key signs, and ignore the next key", () => {
      is('postern_signing_key_activated_timestamp_seconds{algorithm="RS256"}', later(20).getTime() / 1000);
    });

    test("count stored mails, with the time since which the oldest has waited", () => {
      is('postern_outbox_entries{kind="mail"}', 2);
      is('postern_outbox_oldest_timestamp_seconds{kind="mail"}', later(7).getTime() / 1000);
      is('postern_outbox_entries{kind="upstream_revocation"}', 0);
      assert.ok(!values.has('postern_outbox_oldest_timestamp_seconds{kind="upstream_revocation"}'));
    });

    test("count ended records whose tokens are not yet marked, with the time of the first", () => {
      is('postern_outbox_entries{kind="ended"}', 1);
      is('postern_outbox_oldest_timestamp_seconds{kind="ended"}', later(6).getTime() / 1000);
    });

    test("include the size of SQLite's write-ahead log, and nothing for PostgreSQL's", async () => {
      const bytes = values.get("postern_database_log_bytes");
      if (store.dialect !== "sqlite") assert.equal(bytes, undefined);
      else {
        await aUser(store);
        assert.ok(bytes !== undefined && ((await store.logSize()) ?? 0) > bytes && bytes > 0);
      }
    });

    test("include an estimate of the rows of every table", () => {
      const rows = [...values].filter(([name]) => name.startsWith("postern_database_rows"));
      assert.ok(rows.length > 20, String(rows.length));
      for (const [name, value] of rows) assert.ok(value >= 0 && value < 100, `${name} ${value}`);
      // PostgreSQL takes the estimate from its statistics, which are updated later.
      if (store.dialect === "sqlite") is('postern_database_rows{table="oauth_tokens"}', 2);
    });

    test("include how long hashes wait and run, and data that is not yet written", () => {
      is('postern_hash_wait_seconds_count{lane="sign_in"}', 2);
      is('postern_hash_duration_seconds_count{lane="sign_in"}', 2);
      assert.ok((values.get('postern_hash_wait_seconds_sum{lane="sign_in"}') ?? 0) > 0);
      is('postern_hash_queue_limit{lane="management"}', 4);
      is('postern_unwritten{kind="events"}', 2);
      is("postern_mails_waiting", 3);
      is("postern_last_sweep_timestamp_seconds", later(9).getTime() / 1000);
      is('postern_build_info{version="1.2.3"}', 1);
    });

    test("include the connections of PostgreSQL's pool, and none for SQLite", () => {
      const used = values.get('postern_database_connections{state="used"}');
      if (store.dialect === "sqlite") assert.equal(used, undefined);
      else {
        assert.ok(used !== undefined && used >= 0);
        is("postern_database_connections_limit", 8);
        is("postern_database_connection_waiters", 0);
      }
    });
  });

test("metrics from a database that does not answer are omitted, and all others reported", async () => {
  const [sqlite] = databases;
  const store = await sqlite?.open();
  assert.ok(store);
  const metrics = await createMetrics();
  const passwords = passwordHasher({ concurrency: 1, queue: 4, parameters: cheapHashing });
  const away = { ...store, estimateRows: () => Promise.reject(new Error("away")) };
  const watched = { store: away, passwords, figures, now: () => start, retention: {} };
  watchServer(metrics, { ...watched, unfinished: revocationBacklog() });
  const values = await scraped(metrics);
  assert.equal(values.get("postern_mails_waiting"), 3);
  // The log is a file, so its size needs no query of the database.
  const reported = [...values.keys()].filter((name) => name.startsWith("postern_database_"));
  assert.deepEqual(reported, ["postern_database_log_bytes"]);
});

test("docs/operations/monitoring.md lists exactly the metrics that exist", () => {
  const text = readFileSync(join(import.meta.dirname, "../../docs/operations/monitoring.md"), "utf8");
  const listed = [...text.matchAll(/^- `(postern_\w+)`/gm)].map(([, name]) => name);
  assert.deepEqual(listed.toSorted(), [...metricNames].toSorted());
});
