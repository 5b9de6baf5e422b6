import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { before, describe, test } from "node:test";
import type { Store } from "../../src/storage/store.ts";
import { anApp, anOrganization, aProvider, aServiceAccount, start } from "../support/builders.ts";
import { databases } from "../support/databases.ts";

for (const database of databases)
  describe(`records that a manifest created on ${database.name}`, () => {
    let store: Store;
    before(async () => {
      store = await database.open();
    });

    test("are listed by table, once, until they are removed", async () => {
      const [one, two] = [randomUUID(), randomUUID()];
      await store.markApplied("users", one, start);
      await store.markApplied("users", one, start);
      await store.markApplied("users", two, start);
      await store.markApplied("oauth_apps", one, start);
      assert.deepEqual((await store.appliedRecords("users")).toSorted(), [one, two].toSorted());
      assert.deepEqual(await store.appliedRecords("organizations"), []);
      await store.forgetApplied("users", one);
      assert.deepEqual(await store.appliedRecords("users"), [two]);
      assert.deepEqual(await store.appliedRecords("oauth_apps"), [one]);
    });

    test("H-66: a name means the record of the last manifest, also after the record was deleted", async () => {
      const [one, two] = [randomUUID(), randomUUID()];
      const remember = (id: string) =>
        store.transaction((tx) => store.rememberName({ table: "groups", name: "a", id }, start, tx));
      assert.equal(await store.recordMeant("groups", "a"), undefined);
      for (const id of [one, two]) {
        await remember(id);
        assert.equal(await store.recordMeant("groups", "a"), id);
      }
      assert.equal(await store.recordMeant("roles", "a"), undefined);
    });

    test("H-66: an upgrade remembers the names that records of an earlier version have", async () => {
      const { id: organization } = await anOrganization(store, { slug: "acme" });
      const { id: account } = await aServiceAccount(store, { email: "ci@acme.example" });
      const { id: provider } = await aProvider(store, { slug: "acme-oidc" });
      const { id: app } = await anApp(store);
      const made = [
        ["organizations", organization, 'organizations {"slug":"acme"}'],
        ["service_accounts", account, 'service_accounts {"email":"ci@acme.example"}'],
        ["providers", provider, 'providers {"slug":"acme-oidc"}'],
      ] as const;
      for (const [table, id] of made) await store.markApplied(table, id, start);
      await store.markApplied("oauth_apps", app, start);
      // Two keys of earlier manifests may have had the same name.
      for (const _ of [1, 2])
        await store.markApplied("api_keys", randomUUID(), start, store, { source: null, name: "ci" });
      await store.transaction(async ({ connection }) => {
        await connection.run("DROP TABLE manifest_names", []);
        await connection.run("DELETE FROM postern_migrations WHERE version IN (74, 75)", []);
      });
      await store.migrate(start);
      for (const [table, id, name] of made) assert.equal(await store.recordMeant(table, name), id);
      assert.notEqual(await store.recordMeant("api_keys", "ci"), undefined);
      assert.equal(await store.count("manifest_names", { table_name: "oauth_apps" }), 0);
      assert.deepEqual(
        [await store.isApplied("oauth_apps", app), await store.isApplied("oauth_apps", randomUUID())],
        [true, false],
      );
    });

    test("are not listed if their transaction is rolled back", async () => {
      const id = randomUUID();
      const undone = store.transaction(async (tx) => {
        await store.markApplied("sessions", id, start, tx);
        assert.deepEqual(await store.appliedRecords("sessions", tx), [id]);
        throw new Error("undone");
      });
      await assert.rejects(undone, /undone/);
      assert.deepEqual(await store.appliedRecords("sessions"), []);
    });
  });
