import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { before, describe, test } from "node:test";
import type { Usable } from "../../src/storage/people/last_used.ts";
import type { Store } from "../../src/storage/store.ts";
import {
  aConsent,
  aKeyPair,
  anApiKey,
  anApp,
  aSecret,
  aServiceAccount,
  aToken,
  later,
  start,
} from "../support/builders.ts";
import { databases, openStoreAt } from "../support/databases.ts";

/** The records that store when they were last used. */
const usable: Record<Usable, (store: Store) => Promise<{ id: string }>> = {
  api_keys: anApiKey,
  oauth_apps: anApp,
  oauth_app_secrets: aSecret,
  oauth_tokens: aToken,
  oauth_consents: aConsent,
  service_accounts: aServiceAccount,
  service_account_key_pairs: aKeyPair,
};

for (const database of databases)
  describe(`writes that wait in memory on ${database.name}`, () => {
    let store: Store;
    before(async () => {
      store = await database.open();
    });

    for (const [table, make] of Object.entries(usable) as [Usable, (typeof usable)[Usable]][])
      test(`C-9: the last use of one of ${table} is written at the next flush, and not before`, async () => {
        const [used, unused] = [await make(store), await make(store)];
        const lastUse = async ({ id }: { id: string }) => (await store.find(table, { id }))?.last_used_at;
        store.queueUse(table, used.id, later(1));
        store.queueUse(table, used.id, later(2));
        assert.equal(await lastUse(used), null);
        await store.flushUses();
        assert.deepEqual(await lastUse(used), later(2));
        assert.equal(await lastUse(unused), null);
      });

    test("uses of more records than fit into one transaction are all written, and deleted records are skipped", async () => {
      const app = await aSecret(store);
      const secrets = await Promise.all(
        Array.from({ length: 620 }, () => aSecret(store, { app_id: app.app_id })),
      );
      for (const { id } of secrets) store.queueUse("oauth_app_secrets", id, later(5));
      store.queueUse("oauth_app_secrets", store.newId(start), later(5));
      await store.flushUses();
      assert.equal(
        await store.count("oauth_app_secrets", { app_id: app.app_id, last_used_at: later(5) }),
        620,
      );
    });

    test("closing the store writes last uses that wait", async () => {
      const address = await database.tables();
      const first = await openStoreAt(address);
      const token = await aToken(first);
      first.queueUse("oauth_tokens", token.id, later(7));
      await first.close();
      const again = await openStoreAt(address);
      assert.deepEqual((await again.find("oauth_tokens", { id: token.id }))?.last_used_at, later(7));
    });

    test("B-2: a last use that could not be written is written later, unless a newer one exists (reliability finding 11)", async () => {
      const again = await openStoreAt(await database.address());
      const [old, reused] = [randomUUID(), randomUUID()];
      for (const id of [old, reused]) again.queueUse("oauth_tokens", id, later(1));
      await assert.rejects(again.flushUses());
      assert.equal(again.unwrittenUses(), 2);
      const flushed = assert.rejects(again.flushUses());
      again.queueUse("oauth_tokens", reused, later(2));
      await flushed;
      assert.equal(again.unwrittenUses(), 2);
      await again.migrate(start);
      for (const id of [old, reused]) await aToken(again, { id });
      await again.flushUses();
      const usedAt = async (id: string) => (await again.find("oauth_tokens", { id }))?.last_used_at;
      assert.deepEqual([await usedAt(old), await usedAt(reused)], [later(1), later(2)]);
    });

    test("H-8: audit events are all written at the next flush, in order", async () => {
      for (let index = 0; index < 450; index++)
        store.queueEvent({
          type: "login",
          outcome: "success",
          actor_kind: "user",
          actor_id: String(index),
          target_table: null,
          target_id: null,
          client_ip: "192.0.2.1",
          user_agent: null,
          request_id: null,
          details: { index },
          created_at: later(index),
        });
      assert.equal(await store.count("audit_events"), 0);
      await store.flushEvents();
      const events = await store.list("audit_events");
      assert.deepEqual(
        events.map(({ details }) => details?.index),
        Array.from({ length: 450 }, (_, index) => index),
      );
      await store.flushEvents();
      assert.equal(await store.count("audit_events"), 450);
    });
  });
