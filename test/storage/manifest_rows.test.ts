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

    test("H-66: are known by the name under which a manifest created or renamed them", async () => {
      const [one, two] = [randomUUID(), randomUUID()];
      const applied = (name: string) => ({ source: null, name });
      await store.markApplied("groups", one, start, undefined, applied("a"));
      await store.markApplied("groups", two, start, undefined, { source: "keycloak", name: "a" });
      await store.transaction((tx) => store.renameApplied("groups", two, "b", tx));
      assert.deepEqual(await store.appliedAs("groups", "a"), [one]);
      assert.deepEqual(
        [await store.isApplied("groups", one, "b"), await store.isApplied("groups", two, "a")],
        [false, false],
      );
      await store.transaction((tx) => store.renameApplied("groups", one, "b", tx));
      assert.deepEqual(await store.appliedAs("groups", "b"), [one]);
      assert.ok(await store.isApplied("groups", one, "b"));
    });

    test("H-66: get the names that they have at the upgrade if an earlier version created them", async () => {
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
      const removed = randomUUID();
      await store.markApplied("organizations", removed, start);
      assert.ok(await store.isApplied("organizations", organization, "any"));
      await store.transaction(({ connection }) =>
        connection.run("DELETE FROM postern_migrations WHERE version = 74", []),
      );
      await store.migrate(start);
      for (const [table, id, name] of made) {
        assert.deepEqual(await store.appliedAs(table, name), [id]);
        assert.equal(await store.isApplied(table, id, "any"), false);
      }
      assert.ok(await store.isApplied("oauth_apps", app, "any"));
      assert.ok(await store.isApplied("organizations", removed, "any"));
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
