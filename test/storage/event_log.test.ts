import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { before, describe, test } from "node:test";
import type { NotedEvent } from "../../src/storage/event_log.ts";
import type { Store } from "../../src/storage/store.ts";
import { anApp, anOrganization, aToken, aUser, start } from "../support/builders.ts";
import { databases } from "../support/databases.ts";
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
  describe(`the organization of noted events on ${database.name}`, () => {
    let store: Store;
    before(async () => {
      store = await database.open();
    });

    /** The organization of the event once it is written. */
    async function written(given: Partial<NotedEvent>): Promise<string | null | undefined> {
      const type = randomUUID();
      store.noteEvent({ ...event, ...given, type });
      await store.flushEvents();
      return (await store.find("audit_events", { type }))?.organization_id;
    }

    test("H-8: is the one that is given, else the target's, else the client's", async () => {
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

    test("H-8: is none where neither belongs to one, or is known", async () => {
      const user = await aUser(store);
      assert.equal(await written({}), null);
      assert.equal(await written({ target_table: "users", target_id: user.id }), null);
      assert.equal(await written({ target_table: "no_such_table", target_id: user.id }), null);
      assert.equal(await written({ target_table: "users", target_id: "no id" }), null);
      assert.equal(await written({ actor_kind: "client", actor_id: "no-such-client" }), null);
      const personal = await anApp(store);
      assert.equal(await written({ actor_kind: "client", actor_id: personal.client_id }), null);
    });

    test("H-8: outlives the organization", async () => {
      const organization = await anOrganization(store);
      const type = randomUUID();
      store.noteEvent({ ...event, type, organization_id: organization.id });
      await store.flushEvents();
      await deleteOrganization(store, organization.id);
      const found = await store.find("audit_events", { type });
      assert.equal(found?.organization_id, organization.id);
    });
  });
