import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { before, describe, test } from "node:test";
import { databaseOn } from "../../src/storage/database/database.ts";
import { idMaker } from "../../src/storage/database/ids.ts";
import type { NotedEvent } from "../../src/storage/operation/event_gate.ts";
import { eventLog } from "../../src/storage/operation/event_log.ts";
import type { Store } from "../../src/storage/store.ts";
import { anApp, anOrganization, aToken, aUser, later, start } from "../support/builders.ts";
import { databases, openDriver, openStoreAt } from "../support/databases.ts";
import { deleteOrganization } from "../support/endings.ts";

const event: NotedEvent = {
  type: "sign_in",
  outcome: "failure",
  actor_kind: "anonymous",
  actor_id: null,
  target_table: null,
  target_id: null,
  client_ip: null,
  user_agent: null,
  request_id: null,
  details: null,
  created_at: start,
};

for (const database of databases)
  describe(`the organization of an audit event on ${database.name}`, () => {
    let store: Store;
    before(async () => {
      store = await database.open();
    });

    /** Returns the organization of the event once it is written. */
    async function written(overrides: Partial<NotedEvent>): Promise<string | null | undefined> {
      const type = randomUUID();
      store.queueEvent({ ...event, ...overrides, type });
      await store.flushEvents();
      return (await store.find("audit_events", { type }))?.organization_id;
    }

    test("H-8: is the given one, else that of the target, else that of the client", async () => {
      const [acme, umbrella] = [await anOrganization(store), await anOrganization(store)];
      const app = await anApp(store, { organization_id: acme.id });
      const token = await aToken(store, { app_id: app.id });
      const target = { target_table: "oauth_tokens", target_id: token.id };
      const client = { actor_kind: "client", actor_id: app.client_id } as const;
      assert.equal(await written({ ...target, organization_id: umbrella.id }), umbrella.id);
      assert.equal(await written({ ...target, organization_id: null }), null);
      assert.equal(await written(target), acme.id);
      assert.equal(await written(client), acme.id);
      assert.equal(await written({ ...client, ...target, target_id: randomUUID() }), acme.id);
    });

    test("H-8: is empty if target and client have none or are unknown", async () => {
      const user = await aUser(store);
      assert.equal(await written({}), null);
      assert.equal(await written({ target_table: "users", target_id: user.id }), null);
      assert.equal(await written({ target_table: "no_such_table", target_id: user.id }), null);
      assert.equal(await written({ target_table: "users", target_id: "no id" }), null);
      assert.equal(await written({ actor_kind: "client", actor_id: "no-such-client" }), null);
      const personal = await anApp(store);
      assert.equal(await written({ actor_kind: "client", actor_id: personal.client_id }), null);
    });

    test("H-8: is kept after the organization is deleted", async () => {
      const organization = await anOrganization(store);
      const type = randomUUID();
      store.queueEvent({ ...event, type, organization_id: organization.id });
      await store.flushEvents();
      await deleteOrganization(store, organization.id);
      const found = await store.find("audit_events", { type });
      assert.equal(found?.organization_id, organization.id);
    });
  });

for (const database of databases)
  describe(`audit events during a database outage on ${database.name}`, () => {
    const typesOf = async (store: Store) => {
      const rows = (await store.list("audit_events")).sort((a, b) => (a.id < b.id ? -1 : 1));
      return rows.map(({ type }) => type);
    };
    const types = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, n) => `type ${String(from + n).padStart(4, "0")}`);

    test("B-2: are all stored afterwards, in their order (reliability finding 11)", async () => {
      const address = await database.address();
      const store = await openStoreAt(address);
      for (const [index, type] of types(0, 250).entries())
        store.queueEvent({ ...event, type, created_at: later(index / 1000) });
      for (let failures = 0; failures < 60; failures += 1) await assert.rejects(store.flushEvents());
      for (const [index, type] of types(250, 260).entries())
        store.queueEvent({ ...event, type, created_at: later(1 + index / 1000) });
      await assert.rejects(store.flush());
      assert.equal(store.unwrittenEvents(), 260);
      await store.migrate(start);
      await store.flushEvents();
      assert.deepEqual(await typesOf(store), types(0, 260));
      await store.flushEvents();
      assert.equal(await store.count("audit_events"), 260);
    });

    test("B-2: are not stored twice if a commit's confirmation was lost (reliability finding 11)", async () => {
      const address = await database.tables();
      const store = await openStoreAt(address);
      const driver = await openDriver(address);
      let answers = 0;
      const losing = databaseOn({
        ...driver,
        async runBatch(statements) {
          const changed = await driver.runBatch(statements);
          answers += 1;
          if (answers % 2 === 1) throw new Error("the connection broke");
          return changed;
        },
      });
      const log = eventLog(losing, idMaker(), async () => undefined);
      for (const [index, type] of types(0, 150).entries())
        log.queueEvent({ ...event, type, created_at: later(index / 1000) });
      await assert.rejects(log.flushEvents(), /broke/);
      await assert.rejects(log.flushEvents(), /broke/);
      await log.flushEvents();
      await driver.close();
      assert.deepEqual(await typesOf(store), types(0, 150));
    });

    test("B-2: are counted if they do not fit into memory, and one event reports their number (reliability finding 11)", async () => {
      const store = await openStoreAt(await database.address());
      const success = { ...event, outcome: "success", type: "token_revoked" } as const;
      let dropped = 0;
      for (let n = 0; n < 20_010; n += 1) if (store.queueEvent(success) === "memory") dropped += 1;
      assert.deepEqual([dropped, store.unwrittenEvents()], [10, 20_000]);
      assert.deepEqual(store.settleEvents(later(60)), []);
      await store.migrate(start);
      await store.flushEvents();
      const [reported] = store.settleEvents(later(61));
      assert.deepEqual([reported?.by, reported?.more], ["memory", 10]);
      await store.flushEvents();
      const [row, ...others] = (await store.list("audit_events", { type: "token_revoked" })).filter(
        ({ details }) => details !== null,
      );
      assert.deepEqual([row?.details, others], [{ more: 10, left_out_by: "memory" }, []]);
      assert.equal(await store.count("audit_events"), 20_001);
    });

    test("B-1: have their texts truncated, and none prevents the others from being stored", async () => {
      const store = await database.open();
      const type = randomUUID();
      const odd = `\0\ud800${"é".repeat(5000)}`;
      const details = Object.fromEntries(Array.from({ length: 100 }, (__, n) => [`name ${n}`, odd]));
      store.queueEvent({ ...event, type, user_agent: odd, actor_id: odd, target_id: odd, details });
      await store.flushEvents();
      const row = await store.find("audit_events", { type });
      assert.equal(row?.user_agent, `\ufffd\ufffd${"é".repeat(510)}…`);
      assert.equal(Object.keys(row?.details ?? {}).length, 32);
      assert.ok(JSON.stringify(row).length < 20_000);
    });
  });
