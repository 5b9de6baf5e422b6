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
      const remember = (id: string, by_entry: boolean) =>
        store.transaction((tx) =>
          store.rememberName({ table: "groups", name: "a", id, by_entry }, start, tx),
        );
      assert.equal(await store.recordMeant("groups", "a"), undefined);
      // A reference does not undo what an entry stated about the same record.
      const runs = [
        [one, false, false],
        [one, true, true],
        [one, false, true],
        [two, false, false],
        [two, true, true],
      ] as const;
      for (const [id, given, by_entry] of runs) {
        await remember(id, given);
        assert.deepEqual(await store.recordMeant("groups", "a"), { id, by_entry });
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
        await connection.run("DELETE FROM postern_migrations WHERE version IN (74, 75, 76)", []);
      });
      await store.migrate(start);
      for (const [table, id, name] of made)
        assert.deepEqual(await store.recordMeant(table, name), { id, by_entry: true });
      assert.notEqual(await store.recordMeant("api_keys", "ci"), undefined);
      assert.equal(await store.count("manifest_names", { table_name: "oauth_apps" }), 0);
      assert.deepEqual(
        [await store.isApplied("oauth_apps", app), await store.isApplied("oauth_apps", randomUUID())],
        [true, false],
      );
    });

    test("H-66: after an upgrade, entries mean only records that a manifest created", async () => {
      const [created, referred, imported] = [randomUUID(), randomUUID(), randomUUID()];
      await store.markApplied("oauth_apps", created, start);
      await store.markApplied("organizations", referred, start);
      await store.markApplied("oauth_apps", imported, start, store, { source: "shop", name: null });
      const names = [
        ["created", created],
        ["referred", referred],
        ["imported", imported],
      ] as const;
      for (const [name, id] of names)
        await store.transaction((tx) =>
          store.rememberName({ table: "oauth_apps", name, id, by_entry: true }, start, tx),
        );
      await store.transaction(async ({ connection }) => {
        await connection.run("ALTER TABLE manifest_names DROP COLUMN by_entry", []);
        await connection.run("DELETE FROM postern_migrations WHERE version = 76", []);
      });
      await store.migrate(start);
      for (const [name, id] of names) {
        const by_entry = name === "created";
        assert.deepEqual(await store.recordMeant("oauth_apps", name), { id, by_entry });
        const isApplied = await store.isAppliedAs({ table: "oauth_apps", id, name }, store);
        assert.equal(isApplied, by_entry);
      }
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
