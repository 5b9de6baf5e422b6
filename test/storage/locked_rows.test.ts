/** A session that locks one row of the outbox or the feed, such as an operator's, delays no other row. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { Client } from "pg";
import type { Store } from "../../src/storage/store.ts";
import { aDelivery, aFeedEvent, anEndpoint, later, start } from "../support/builders.ts";
import { databases, openStoreAt } from "../support/databases.ts";
import { until } from "../support/until.ts";

const process_id = "01900000-0000-7000-8000-000000000001";
const answered = { last_status: 200, last_fault: null };
const native = databases.filter(({ title }) => title === "PostgreSQL");

for (const database of native)
  describe(`while a row is locked, on ${database.title}`, () => {
    let store: Store;
    let url: string;
    before(async () => {
      const address = await database.tables();
      assert.ok(address.kind === "postgres");
      url = address.url;
      store = await openStoreAt(address, { events: true });
    });

    /** Locks a row until the returned function is called. */
    async function locked(table: string, id: string): Promise<() => Promise<void>> {
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.query("BEGIN");
      await client.query(`SELECT id FROM ${table} WHERE id = $1 FOR UPDATE`, [id]);
      return () => client.end();
    }

    test("FO-1: other deliveries can be claimed, and their results are stored", async () => {
      const [one, other] = [await aDelivery(store), await aDelivery(store)];
      const stateOf = async ({ id }: { id: string }) => (await store.find("deliveries", { id }))?.state;
      let release = await locked("deliveries", one.id);
      const claimed = await store.claimDeliveries([one, other], process_id, start);
      assert.deepEqual(
        claimed.map(({ id }) => id),
        [other.id],
      );
      await release();
      claimed.push(...(await store.claimDeliveries([one], process_id, start)));
      release = await locked("deliveries", one.id);
      const finished = claimed.map((each) => store.finishDelivery(each, "done", answered, later(1)));
      await finished[0];
      assert.deepEqual([await stateOf(one), await stateOf(other)], ["waiting", "done"]);
      await release();
      await Promise.all(finished);
      assert.equal(await stateOf(one), "done");
    });

    test("EV-2: other events are numbered, and those about the locked event's user follow it in order", async () => {
      const subject_id = crypto.randomUUID();
      const [one, next] = [await aFeedEvent(store, { subject_id }), await aFeedEvent(store, { subject_id })];
      const other = await aFeedEvent(store);
      const positions = () =>
        Promise.all(
          [one, next, other].map(async ({ id }) => (await store.find("events", { id }))?.position ?? 0),
        );
      const release = await locked("events", one.id);
      assert.equal(await store.numberEvents(), 1);
      const [, , position = 0] = await positions();
      assert.deepEqual(await positions(), [0, 0, position]);
      await release();
      assert.equal(await store.numberEvents(), 2);
      assert.deepEqual(await positions(), [position + 1, position + 2, position]);
    });

    test("EV-4: other webhooks get their events, and those of the locked webhook wait", async () => {
      const [one, other] = [await anEndpoint(store), await anEndpoint(store)];
      const waiting = async ({ id: target_id }: { id: string }) =>
        store.count("deliveries", { target_id, state: "waiting" });
      const release = await locked("webhook_endpoints", one.id);
      await aFeedEvent(store);
      await store.numberEvents();
      await store.noteWebhook(one.id, start);
      await store.fillWebhooks(start);
      assert.equal(await waiting(one), 0);
      assert.ok((await waiting(other)) > 0);
      await release();
      // When it starts, and then once a minute, a process searches for webhooks whose events are not queued
      // yet.
      const restarted = await openStoreAt({ kind: "postgres", url }, { events: true });
      await until(async () => {
        await restarted.fillWebhooks(start);
        return (await waiting(one)) === (await waiting(other));
      });
    });
  });
