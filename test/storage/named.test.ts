import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { before, describe, test } from "node:test";
import type { NamedTable } from "../../src/storage/listing/named.ts";
import type { Store } from "../../src/storage/store.ts";
import { aMembership, anApp, anOrganization, aServiceAccount, aUser } from "../support/builders.ts";
import { databases } from "../support/databases.ts";

for (const database of databases)
  describe(`look-ups of records' names on ${database.name}`, () => {
    let store: Store;
    before(async () => {
      store = await database.open();
    });

    test("many names are found by one query, for ids in either case, and missing records have none", async () => {
      const [ada, eve] = [await aUser(store, { name: "Ada" }), await aUser(store, { name: "Eve" })];
      const ids = [ada.id.toUpperCase(), eve.id, eve.id, randomUUID(), "no-uuid", "' OR 1=1 --"];
      assert.deepEqual(
        await store.namesOf("users", ids),
        new Map([
          [ada.id, { id: ada.id, name: "Ada", unique_name: ada.email }],
          [eve.id, { id: eve.id, name: "Eve", unique_name: eve.email }],
        ]),
      );
      assert.deepEqual(await store.namesOf("users", []), new Map());
    });

    test("whole records are found under the same conditions as names", async () => {
      const [acme, other] = [await anOrganization(store), await anOrganization(store)];
      const ours = await anApp(store, { organization_id: acme.id });
      const theirs = await anApp(store, { organization_id: other.id });
      const ids = [ours.id.toUpperCase(), theirs.id, randomUUID()];
      const visible = { organization_ids: [acme.id], user_id: null };
      assert.deepEqual(await store.rowsSeen("oauth_apps", ids, visible), [ours]);
      assert.equal((await store.rowsSeen("oauth_apps", ids)).length, 2);
      assert.deepEqual(await store.rowsSeen("oauth_apps", []), []);
    });

    test("a user finds only names of their own and their organizations' records", async () => {
      const [acme, other] = [await anOrganization(store), await anOrganization(store)];
      const [me, member, stranger] = [await aUser(store), await aUser(store), await aUser(store)];
      await aMembership(store, { user_id: member.id, organization_id: acme.id });
      const personal = await anApp(store, { owner_id: me.id });
      const ours = await anApp(store, { owner_id: stranger.id, organization_id: acme.id });
      const theirs = await anApp(store, { owner_id: stranger.id, organization_id: other.id });
      const [account, foreign] = [
        await aServiceAccount(store, { organization_id: acme.id }),
        await aServiceAccount(store, { organization_id: other.id }),
      ];
      const visible = { organization_ids: [acme.id], user_id: me.id };
      const seen = async (table: NamedTable, records: readonly { id: string }[]) => {
        const names = await store.namesOf(
          table,
          records.map(({ id }) => id),
          visible,
        );
        return records.map(({ id }) => names.has(id));
      };
      assert.deepEqual(await seen("users", [me, member, stranger]), [true, true, false]);
      assert.deepEqual(await seen("organizations", [acme, other]), [true, false]);
      assert.deepEqual(await seen("oauth_apps", [personal, ours, theirs]), [true, true, false]);
      assert.deepEqual(await seen("service_accounts", [account, foreign]), [true, false]);
      const nobody = { organization_ids: [], user_id: null };
      assert.deepEqual(await store.namesOf("users", [me.id], nobody), new Map());
    });
  });
