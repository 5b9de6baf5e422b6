import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { before, describe, test } from "node:test";
import fc from "fast-check";
import { fieldsOf } from "../../src/records/definition/definition.ts";
import type { Store } from "../../src/storage/store.ts";
import { anApp, aToken, aUser, later, start, tokenOf } from "../support/builders.ts";
import { databases } from "../support/databases.ts";
import { anyRow, makeReferences, tableNames } from "./any_row.ts";

for (const database of databases)
  describe(`the basic operations of the store on ${database.name}`, () => {
    let store: Store;
    let references: Record<string, string>;

    before(async () => {
      store = await database.open();
      references = await makeReferences(store);
    });

    for (const table of tableNames)
      test(`design 3: any row of ${table} is read exactly as it was written`, async () => {
        const rows = anyRow(table, references);
        await fc.assert(
          fc.asyncProperty(rows, rows, async (row, second) => {
            await store.insert(table, row as never);
            try {
              assert.deepEqual(await store.find(table, { id: row.id }), row);
              // Changes every column except the key, so nulls become values, and values become nulls.
              const changed = { ...second, id: row.id };
              assert.equal(await store.update(table, { id: row.id }, changed as never), 1);
              assert.deepEqual(await store.find(table, { id: row.id }), changed);
            } finally {
              assert.equal(await store.remove(table, { id: row.id }), 1);
            }
            assert.equal(await store.find(table, { id: row.id }), undefined);
          }),
          { numRuns: 12 },
        );
      });

    test("an attribute may be an object without a usable toString", async () => {
      const attributes = { "": { toString: {} } };
      const { id } = await aUser(store, { attributes });
      assert.deepEqual((await store.find("users", { id }))?.attributes, attributes);
    });

    test("a list of some columns has the same rows in the same order, with only these columns", async () => {
      const { id: owner_id } = await aUser(store);
      for (const name of ["openid", "orders:read"])
        await anApp(store, { owner_id, name, allowed_scopes: [name] });
      const columns = ["allowed_scopes", "organization_id"] as const;
      const listed = (options: { readonly limit?: number }) =>
        store.listColumns(
          "oauth_apps",
          columns,
          { owner_id },
          { order_by: "name", descending: true, ...options },
        );
      const newest = { allowed_scopes: ["orders:read"], organization_id: null };
      assert.deepEqual(await listed({}), [newest, { ...newest, allowed_scopes: ["openid"] }]);
      assert.deepEqual(await listed({ limit: 1 }), [newest]);
    });

    test("an omitted field gets its default", async () => {
      const { id } = await anApp(store);
      const owner = await aUser(store);
      const bare = { id: randomUUID(), client_id: "bare", name: "Bare", owner_id: owner.id };
      await store.insert("oauth_apps", { ...bare, created_at: start, updated_at: start });
      const row = await store.find("oauth_apps", { client_id: "bare" });
      assert.notEqual(row?.id, id);
      for (const [name, field] of Object.entries(fieldsOf("oauth_apps"))) {
        if (field.default === undefined) continue;
        assert.deepEqual((row as Record<string, unknown>)[name], field.default, name);
      }
    });

    test("a condition with null matches exactly the rows without a value", async () => {
      const app = await anApp(store);
      const withUser = await aToken(store, { app_id: app.id });
      const without = await aToken(store, { app_id: app.id, user_id: null });
      const ids = async (user_id: string | null) =>
        (await store.list("oauth_tokens", { app_id: app.id, user_id })).map(({ id }) => id);
      assert.deepEqual(await ids(null), [without.id]);
      assert.deepEqual(await ids(withUser.user_id), [withUser.id]);
    });

    test("a condition without a value is refused, not ignored", async () => {
      const where = { id: undefined } as unknown as { id: string };
      for (const work of [
        () => store.find("users", where),
        () => store.count("users", where),
        () => store.update("users", where, { name: "Eve" }),
        () => store.remove("users", where),
      ])
        await assert.rejects(work, TypeError);
    });

    test("an invalid UUID is refused, neither stored nor matched in part", async () => {
      await assert.rejects(store.find("users", { id: "0123" }));
      await assert.rejects(aUser(store, { id: "0123-not-a-uuid" }));
    });

    test("a list has the requested order, in pages without gaps or repetitions", async () => {
      const app = await anApp(store);
      for (const seconds of [5, 1, 4, 2, 3])
        await store.insert(
          "oauth_tokens",
          tokenOf({ app_id: app.id, user_id: null, created_at: later(seconds) }),
        );
      const page = (after?: Date, descending = false) =>
        store.list(
          "oauth_tokens",
          { app_id: app.id },
          { order_by: "created_at", limit: 2, after, descending },
        );
      const seen: number[] = [];
      for (let rows = await page(); rows.length > 0; rows = await page(rows.at(-1)?.created_at))
        seen.push(...rows.map(({ created_at }) => (created_at.getTime() - start.getTime()) / 1000));
      assert.deepEqual(seen, [1, 2, 3, 4, 5]);
      const [newest] = await page(undefined, true);
      assert.deepEqual(newest?.created_at, later(5));
      assert.equal((await page(newest?.created_at, true))[0]?.created_at.getTime(), later(4).getTime());
      assert.equal(await store.count("oauth_tokens", { app_id: app.id }), 5);
    });

    test("an update returns how many rows it changed, and changes no others", async () => {
      const app = await anApp(store);
      const other = await aToken(store);
      for (let n = 0; n < 3; n++) await aToken(store, { app_id: app.id, user_id: null });
      assert.equal(await store.update("oauth_tokens", { app_id: app.id }, { revoked_reason: "revoked" }), 3);
      assert.equal(await store.update("oauth_tokens", { app_id: app.id }, {}), 0);
      assert.equal((await store.find("oauth_tokens", { id: other.id }))?.revoked_reason, null);
      assert.equal(await store.remove("oauth_tokens", { app_id: app.id }), 3);
      assert.ok(await store.find("oauth_tokens", { id: other.id }));
    });

    test("a new id begins with the given time", () => {
      const milliseconds = Number.parseInt(store.newId(start).replaceAll("-", "").slice(0, 12), 16);
      assert.equal(milliseconds, start.getTime());
      assert.ok(store.newId(start) < store.newId(later(1)));
    });
  });
