import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { everywhere, serverItself } from "../../src/records/rules/scope_owners.ts";
import { aMembership, anApiKey, anApp, anOrganization, aUser, later, start } from "../support/builders.ts";
import { databases } from "../support/databases.ts";

for (const database of databases)
  describe(`API keys of earlier versions and their scopes, on ${database.name}`, () => {
    test("S-3: a key of an earlier version is valid for the owners who could grant its scopes then (security finding 4)", async () => {
      const store = await database.open();
      const [acme, initech] = [await anOrganization(store), await anOrganization(store)];
      const root = await aUser(store, { is_platform_admin: true });
      const user = await aUser(store);
      const member = await aUser(store);
      await aMembership(store, { user_id: user.id, organization_id: acme.id, role: "developer" });
      await aMembership(store, {
        user_id: user.id,
        organization_id: initech.id,
        role: "billing",
        permissions: ["invoices", "apps:write"],
      });
      await aMembership(store, { user_id: user.id, role: "member" });
      await aMembership(store, { user_id: member.id, organization_id: acme.id, role: "member" });
      await anApp(store, { owner_id: user.id, allowed_scopes: ["server:read", "__proto__"] });
      await anApp(store, { owner_id: user.id, organization_id: acme.id, allowed_scopes: ["acme:read"] });

      const scopes = ["orders:read", "server:read", "__proto__", "openid", "postern:apps:read", "token:x"];
      const plain = (ownersOf: (scope: string) => string[]) =>
        Object.fromEntries(
          ["orders:read", "server:read", "__proto__"].map((scope) => [scope, ownersOf(scope)]),
        );
      const keys = [
        [{ organization_id: acme.id }, plain(() => [acme.id])],
        [{ organization_id: acme.id, user_id: user.id }, plain(() => [acme.id])],
        [{ user_id: root.id }, plain(() => [everywhere])],
        [
          { user_id: user.id },
          plain((scope) => [acme.id, initech.id, ...(scope === "orders:read" ? [] : [serverItself])]),
        ],
        [{ user_id: member.id }, plain(() => [])],
      ] as const;
      const expected = new Map<string, unknown>();
      for (const [owner, owners] of keys) {
        expected.set((await anApiKey(store, { ...owner, scopes })).id, owners);
      }
      // More than are read in one batch.
      for (let index = 0; index < 1005; index++) {
        const { id } = await anApiKey(store, {
          organization_id: initech.id,
          scopes: ["orders:read"],
          created_at: later(index),
        });
        expected.set(id, { "orders:read": [initech.id] });
      }
      expected.set((await anApiKey(store, { user_id: user.id, scopes: ["postern:manage"] })).id, {});

      await store.transaction(async ({ connection }) => {
        await connection.run("ALTER TABLE api_keys DROP COLUMN scope_owners", []);
        await connection.run("DELETE FROM postern_migrations WHERE version = 7", []);
      });
      const applied = await store.migrate(start);
      assert.deepEqual(
        applied.map(({ version }) => version),
        [7],
      );
      const rows = await store.list("api_keys", {});
      assert.equal(rows.length, expected.size);
      for (const { id, scope_owners } of rows) {
        const sorted = Object.entries(scope_owners).map(([scope, owners]) => [
          scope,
          (owners as string[]).toSorted(),
        ]);
        const wanted = Object.entries(expected.get(id) ?? {}).map(([scope, owners]) => [
          scope,
          (owners as string[]).toSorted(),
        ]);
        assert.deepEqual(Object.fromEntries(sorted), Object.fromEntries(wanted));
      }
    });

    test("S-3: a key that an earlier program writes during the upgrade grants no scope", async () => {
      const store = await database.open();
      const { id } = await anApiKey(store, { user_id: (await aUser(store)).id, scopes: ["orders:read"] });
      await store.transaction(async ({ connection }) => {
        const columns = "key_prefix, key_hash, user_id, scopes, revoked, created_at, name";
        await connection.run(`CREATE TABLE kept AS SELECT id, ${columns} FROM api_keys`, []);
        await connection.run("DELETE FROM api_keys", []);
        await connection.run(`INSERT INTO api_keys (id, ${columns}) SELECT id, ${columns} FROM kept`, []);
        await connection.run("DROP TABLE kept", []);
      });
      assert.deepEqual((await store.find("api_keys", { id }))?.scope_owners, {});
    });
  });
