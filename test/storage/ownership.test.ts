import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { before, describe, test } from "node:test";
import { type TableName, tables } from "../../src/records/definition/definition.ts";
import type { Owner } from "../../src/records/definition/ownership.ts";
import type { Store } from "../../src/storage/store.ts";
import { accessOnly, anApp, anOrganization, aServiceAccount, aToken, aUser } from "../support/builders.ts";
import { databases } from "../support/databases.ts";
import { insertAny } from "./any_row.ts";
import { type Belongings, belongings } from "./belongings.ts";

for (const database of databases)
  describe(`the owner of a row, on ${database.name}`, () => {
    let store: Store;
    let all: Belongings;
    before(async () => {
      store = await database.open();
      all = await belongings(store);
    });

    for (const table of Object.keys(tables) as TableName[])
      test(`${table}: the owners are the organizations and the user whose permissions count`, async () => {
        for (const { name, id, owner } of all[table]) {
          const found = await store.ownerOf(table, id);
          const sorted = found && { ...found, organization_ids: found.organization_ids.toSorted() };
          const expected: Owner = { ...owner, organization_ids: owner.organization_ids.toSorted() };
          assert.deepEqual(sorted, expected, name);
        }
      });

    test("a missing row and an invalid id have no owner", async () => {
      for (const table of Object.keys(tables) as TableName[]) {
        for (const id of [randomUUID(), "", "acme", `${randomUUID()} `, `{${randomUUID()}}`])
          assert.equal(await store.ownerOf(table, id), undefined, `${table} ${id}`);
      }
    });

    test("a machine token belongs to the owner of its personal app, or to the organization of its service account", async () => {
      const owner = await aUser(store);
      const personal = await anApp(store, { owner_id: owner.id });
      const machine = await aToken(store, { app_id: personal.id, user_id: null, ...accessOnly });
      assert.deepEqual(await store.ownerOf("oauth_tokens", machine.id), {
        organization_ids: [],
        user_id: owner.id,
      });
      const [one, two] = [await anOrganization(store), await anOrganization(store)];
      const account = await aServiceAccount(store, { organization_id: one.id });
      const app = await anApp(store, { organization_id: two.id });
      const token = await aToken(store, {
        app_id: app.id,
        user_id: null,
        service_account_id: account.id,
        ...accessOnly,
      });
      assert.deepEqual((await store.ownerOf("oauth_tokens", token.id))?.organization_ids.toSorted(), [
        ...[one.id, two.id].toSorted(),
      ]);
    });

    test("an audit event caused by a client belongs to no user", async () => {
      const user = await aUser(store);
      const { id } = await insertAny(
        store,
        "audit_events",
        {},
        {
          actor_kind: "client",
          actor_id: user.id,
          organization_id: null,
        },
      );
      assert.deepEqual(await store.ownerOf("audit_events", id), { organization_ids: [], user_id: null });
    });
  });
