import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { applyManifest } from "../../src/admin/manifest/apply_manifest.ts";
import { exportManifest } from "../../src/admin/manifest/export.ts";
import { columnsOf, referencesOf } from "../../src/admin/manifest/members/entry.ts";
import { sections } from "../../src/admin/manifest/sections.ts";
import { Problem } from "../../src/errors.ts";
import type { Store } from "../../src/storage/store.ts";
import { aUser } from "../support/builders.ts";
import { databases, databasesInForm, openStoreAt } from "../support/databases.ts";
import { column } from "../support/lists.ts";
import { withoutConversions } from "../support/without_conversions.ts";
import { problem, refused, testContext } from "./context.ts";
import { admin, whole } from "./whole_manifest.ts";

for (const database of databasesInForm) {
  describe(`two addresses that are normalized alike, on ${database.name}`, () => {
    const [here, other] = ["bob@stra\u00dfe.example", "bob@strasse.example"];
    const acme = { slug: "acme", name: "Acme" };

    test("P-9: a manifest grants nothing to the account of a look-alike address, and changes an address only by id", async () => {
      const context = testContext(await database.open());
      await applyManifest({ organizations: [acme], users: [{ email: here, name: "Bob" }] }, context);
      const user = async () => (await context.store.list("users", {}))[0] ?? assert.fail();
      const { id } = await user();
      await refused(
        applyManifest({ users: [{ email: other, name: "Other" }] }, context),
        "invalid_manifest users[0].email",
      );
      await refused(
        applyManifest({ memberships: [{ user: other, organization: "acme", role: "owner" }] }, context),
        "invalid_manifest memberships[0].user",
      );
      assert.deepEqual([(await user()).email, (await user()).name], [here, "Bob"]);
      await applyManifest({ users: [{ email: "BOB@xn--strae-oqa.example", name: "Bob" }] }, context);
      assert.equal((await user()).id, id);
      await applyManifest({ users: [{ id, email: other, name: "Bob" }] }, context);
      assert.deepEqual([(await user()).id, (await user()).email], [id, other]);
    });

    test("P-9: a manifest with two look-alike addresses assigns each exactly, and refuses one without an account", async () => {
      const context = testContext(await database.open());
      const beta = { slug: "beta", name: "Beta" };
      await applyManifest({ organizations: [acme, beta], users: [{ email: other, name: "Other" }] }, context);
      const memberships = [
        { user: other, organization: "beta", role: "member" },
        { user: here, organization: "acme", role: "owner" },
      ];
      await refused(applyManifest({ memberships }, context), "invalid_manifest memberships[1].user");
      const { id } = await aUser(context.store, { email: here, email_key: here });
      await applyManifest({ memberships }, context);
      const owners = await context.store.list("memberships", { role: "owner" });
      assert.deepEqual(column(owners, "user_id"), [id]);
    });

    test("P-9: two accounts with look-alike addresses can be exported and applied again without a change", async () => {
      const context = testContext(await database.open());
      await aUser(context.store, { email: here, email_key: here });
      await aUser(context.store, { email: other });
      const exported = await exportManifest(context);
      const { created, updated } = await applyManifest(exported, context);
      assert.deepEqual([created, updated], [[], []]);
      await refused(
        applyManifest(
          {
            users: [
              { email: `x${here}`, name: "One" },
              { email: `x${other}`, name: "Two" },
            ],
          },
          context,
        ),
        "invalid_manifest users[1]",
      );
    });
  });

  describe(`one file applied twice at the same time, on ${database.name}`, () => {
    test("two concurrent runs of one file create the records once, and the second run finds them", async () => {
      const address = await database.tables();
      const stores = await Promise.all(Array.from({ length: 4 }, () => openStoreAt(address)));
      const results = await Promise.all(stores.map((store) => applyManifest(whole(), testContext(store))));
      const created = results.map((result) => result.created.length).toSorted((a, b) => b - a);
      const all = results.map((result) => result.created.length + result.unchanged.length);
      assert.deepEqual(created, [all[0], 0, 0, 0]);
      assert.deepEqual(new Set(all).size, 1);
    });
  });

  describe(`a manifest and the last owner or administrator, on ${database.name}`, () => {
    const ready = async () => testContext(await database.open());

    test("a manifest cannot remove the last owner of an organization or the last platform administrator in any way", async () => {
      const context = await ready();
      await applyManifest(whole(), context);
      const { users, memberships, ...rest } = whole();
      const refused: [string, string[], object, boolean][] = [
        ["last_administrator", ["user root@example.com"], { users: [{ ...admin, active: false }] }, false],
        [
          "last_administrator",
          ["user root@example.com"],
          { users: [{ ...admin, is_platform_admin: false }] },
          false,
        ],
        [
          "last_owner",
          ["membership ada@example.com acme", "membership bob@example.com acme"],
          { memberships: memberships.map((each) => ({ ...each, role: "admin" })) },
          false,
        ],
        [
          "last_owner",
          ["membership ada@example.com acme", "membership bob@example.com acme"],
          { ...rest, users },
          true,
        ],
        [
          "last_administrator",
          ["user root@example.com"],
          { ...rest, memberships, users: users.slice(1) },
          true,
        ],
      ];
      for (const [code, labels, file, prune] of refused)
        await assert.rejects(applyManifest(file, context, { prune }), problem(code, labels));
    });

    test("a manifest may remove the last owner or administrator if it names new ones, in any order", async () => {
      const context = await ready();
      await applyManifest(whole(), context);
      const file = {
        users: [
          { ...admin, is_platform_admin: false },
          { email: "ada@example.com", is_platform_admin: true },
        ],
        memberships: [
          { user: "ada@example.com", organization: "acme", role: "member" },
          { user: "bob@example.com", organization: "acme", role: "member" },
          { user: "root@example.com", organization: "acme", role: "owner" },
        ],
      };
      const { updated } = await applyManifest(file, context);
      assert.equal(updated.length, 4);
    });
  });

  describe(`apps that represent APIs on ${database.name}`, () => {
    const api = (client_id: string, resource: unknown) => ({
      client_id,
      name: "API",
      owner: "ada@example.com",
      public: true,
      metadata: resource === undefined ? null : { resource },
    });

    test("two apps never have the same API identifier, neither within one file nor with existing apps", async () => {
      const context = testContext(await database.open());
      await applyManifest(whole(), context);
      const [one, other] = ["https://api.example", ["https://b.example", "https://api.example"]];
      await assert.rejects(
        applyManifest({ apps: [api("a", one), api("b", other)] }, context),
        problem("conflict", ["app a", "app b"]),
      );
      await applyManifest({ apps: [api("a", one)] }, context);
      await assert.rejects(
        applyManifest({ apps: [api("b", other)] }, context),
        problem("conflict", ["app b"]),
      );
      // One file may move the resource from one app to the other, and may repeat the current state.
      const handed = { apps: [api("a", undefined), api("b", other)] };
      assert.deepEqual((await applyManifest(handed, context)).created, ["app b", "api https://b.example"]);
      assert.equal((await applyManifest(handed, context)).unchanged.length, 4);
    });
  });

  describe(`concurrent changes of the same records on ${database.name}`, () => {
    test("a run is refused as a conflict, and writes nothing, if a record was deleted", async () => {
      const context = testContext(await database.open());
      const { store } = context;
      await applyManifest(whole(), context);
      const racing: Store = {
        ...store,
        async transaction(work, options) {
          await store.remove("organizations", { slug: "tiny" });
          return store.transaction(work, options);
        },
      };
      const file = {
        organizations: [
          { slug: "acme", name: "Acme Ltd" },
          { slug: "tiny", name: "Tiny Ltd" },
        ],
      };
      await refused(applyManifest(file, { ...context, store: racing }), "conflict");
      assert.equal((await store.find("organizations", { slug: "acme" }))?.name, "Acme");
    });

    test("a run does not conflict with a concurrent change of other fields", async () => {
      const context = testContext(await database.open());
      const { store } = context;
      await applyManifest(whole(), context);
      const racing: Store = {
        ...store,
        async transaction(work, options) {
          await store.update("organizations", { slug: "tiny" }, { plan: "pro" });
          return store.transaction(work, options);
        },
      };
      await applyManifest(
        { organizations: [{ slug: "tiny", name: "Tiny Ltd" }] },
        { ...context, store: racing },
      );
      const tiny = await store.find("organizations", { slug: "tiny" });
      assert.deepEqual([tiny?.name, tiny?.plan], ["Tiny Ltd", "pro"]);
    });
  });
}

describe("values in a manifest that cannot be converted to text", () => {
  const whole_manifest: Readonly<Record<string, readonly object[]>> = whole();

  test("H-1: a value that cannot be converted to text is refused with its path, in any field of any record", async () => {
    const [database] = databases;
    const context = testContext((await database?.open()) ?? assert.fail());
    const taken = new Set<string>();
    for (const section of sections) {
      const { table, resourceType, manifest } = section;
      const parts = (manifest.members ?? []).flatMap(({ names }) => names);
      const names = ["id", ...columnsOf(section), ...referencesOf(table).keys(), ...parts];
      const [usual = {}] = whole_manifest[resourceType] ?? [];
      for (const name of new Set([...names, ...(manifest.requested ?? [])])) {
        // The names are refused as members of a nested object too, such as a key pair.
        const part = (value: unknown) =>
          [...new Set([...names, "key_id", "algorithm", "hash", "value", "jwk"])].map((each) => [
            each,
            value,
          ]);
        for (const value of withoutConversions)
          for (const given of parts.includes(name) ? [value, [Object.fromEntries(part(value))]] : [value]) {
            const entries = [{ [name]: given }, { ...usual, [name]: given }];
            for (const source of [undefined, "keycloak"])
              await applyManifest({ ...whole_manifest, [resourceType]: entries }, context, {
                ...{ dryRun: true, source },
              }).then(
                () => taken.add(`${resourceType}.${name}`),
                (error) => {
                  assert.ok(error instanceof Problem, error);
                  const at = error.errors.map(({ path }) => path);
                  assert.ok(
                    at.some((path) => path.startsWith(`${resourceType}[`)),
                    at.join(),
                  );
                },
              );
          }
      }
    }
    assert.deepEqual([...taken], []);
  });
});
