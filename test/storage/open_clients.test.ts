import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { idleAfter, unusedAfter } from "../../src/records/rules/open_clients.ts";
import type { Store } from "../../src/storage/store.ts";
import { aCode, aConsent, anApp, aToken, aUser, later, start } from "../support/builders.ts";
import { databases } from "../support/databases.ts";

const [day, quarter] = [unusedAfter / 1000, idleAfter / 1000];

for (const database of databases) {
  describe(`unused clients that registered themselves, on ${database.name}`, () => {
    const clientsOf = async (store: Store) =>
      new Set((await store.list("oauth_apps")).map(({ client_id }) => client_id));
    const open = (store: Store, client_id: string, overrides: Parameters<typeof anApp>[1] = {}) =>
      anApp(store, { client_id, provenance: "dynamic_registration", ...overrides });

    test("PR-26: a client that is unused after 24 hours is deleted, one event for a batch; registered apps stay", async () => {
      const store = await database.open();
      await anApp(store, { client_id: "registered" });
      for (const n of [1, 2, 3]) await open(store, `unused-${n}`);
      await open(store, "document", { provenance: "metadata_document" });
      await open(store, "off", { active: false });
      await open(store, "revoked", { revoked_at: start });
      const consented = await open(store, "consented");
      await aConsent(store, { app_id: consented.id, user_id: (await aUser(store)).id });
      await aCode(store, { app_id: (await open(store, "code")).id });
      await aToken(store, { app_id: (await open(store, "token")).id });
      await open(store, "used", { last_used_at: start });
      assert.equal(await store.sweepOpenClients(later(day - 1)), 0);
      assert.equal(await store.sweepOpenClients(later(day), { dry_run: true }), 4);
      assert.equal((await store.sweep(later(day), { dry_run: true })).open_clients, 4);
      assert.equal(await store.sweepOpenClients(later(day)), 4);
      const left = ["registered", "off", "revoked", "consented", "code", "token", "used"];
      assert.deepEqual(await clientsOf(store), new Set(left));
      const events = await store.list("audit_events", { type: "open_clients_swept" });
      assert.deepEqual(
        events.map(({ details, actor_kind }) => [actor_kind, details?.clients]),
        [["system", 4]],
      );
      assert.equal(await store.sweepOpenClients(later(day)), 0);
    });

    test("PR-26: a client not used for 90 days is deleted with its consents and tokens, one event for a batch", async () => {
      const store = await database.open();
      const used = later(1000);
      const user = await aUser(store);
      for (const n of [1, 2, 3, 4, 5]) {
        const app = await open(store, `idle-${n}`, { last_used_at: used });
        await aConsent(store, { app_id: app.id, user_id: user.id });
        await aToken(store, { app_id: app.id });
      }
      await open(store, "later", { last_used_at: later(1001) });
      assert.equal(await store.sweepOpenClients(later(quarter - 1, used)), 0);
      assert.equal(await store.sweepOpenClients(later(quarter, used), { batch: 2 }), 5);
      assert.deepEqual(await clientsOf(store), new Set(["later"]));
      assert.deepEqual([await store.count("oauth_consents"), await store.count("oauth_tokens")], [0, 0]);
      assert.equal(await store.count("audit_events", { type: "open_clients_swept" }), 3);
    });

    test("PR-26: self-registered clients are counted up to a limit, without clients of other origins", async () => {
      const store = await database.open();
      await anApp(store, { client_id: "registered" });
      await open(store, "document", { provenance: "metadata_document" });
      for (const n of [1, 2, 3]) await open(store, `by-itself-${n}`);
      assert.equal(await store.countRegistrations(10), 3);
      assert.equal(await store.countRegistrations(2), 2);
    });

    test("PR-26: self-registered clients are listed with their users, counted, and filtered by never used", async () => {
      const store = await database.open();
      await anApp(store, { client_id: "registered" });
      const first = await open(store, "first");
      const second = await open(store, "second", { created_at: later(1), last_used_at: later(2) });
      await aConsent(store, { app_id: second.id, user_id: (await aUser(store)).id });
      const listed = await store.listOpenClients(10);
      assert.deepEqual(
        listed.map(({ client_id, people }) => [client_id, people]),
        [
          ["second", 1],
          ["first", 0],
        ],
      );
      assert.deepEqual(
        (await store.listOpenClients(10, second.id)).map(({ id }) => id),
        [first.id],
      );
      assert.equal(await store.countOpenClients(), 2);
      assert.deepEqual(await store.neverUsedClients(10), [first.id]);
    });

    test("PR-26: a client that was used is kept, and the address that registered it is deleted in time", async () => {
      const store = await database.open();
      const app = await open(store, "used", { client_ip: "192.0.2.1" });
      store.queueUse("oauth_apps", app.id, later(5));
      await store.flush();
      assert.equal(await store.sweepOpenClients(later(day), { addresses: 1 }), 0);
      const found = await store.find("oauth_apps", { id: app.id });
      assert.deepEqual([found?.client_ip, found?.last_used_at], [null, later(5)]);
    });
  });
}
