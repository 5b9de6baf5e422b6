/** Requests that change records between the comparison of a manifest and its transaction. */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { describe, test } from "node:test";
import type { Input } from "../../src/admin/access/errors.ts";
import { updateRecord } from "../../src/admin/manage/manage.ts";
import { applyManifest } from "../../src/admin/manifest/apply_manifest.ts";
import { isStoredSecret } from "../../src/admin/records/provider_secrets.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import type { ResourceType } from "../../src/records/definition/permissions.ts";
import { recordLock } from "../../src/records/names/lock_names.ts";
import { anAppRole, anOrganization, aProvider, aResource, aRole, aUser } from "../support/builders.ts";
import { databasesInForm, type TestDatabase } from "../support/databases.ts";
import { errorsOf, refused, type TestContext, testContext } from "./context.ts";

const owner = "ada@example.com";
const base = {
  organizations: [
    { slug: "acme", name: "Acme" },
    { slug: "beta", name: "Beta" },
  ],
  users: [{ email: owner, name: "Ada" }],
  attributes: [{ record_type: "users", name: "team", writers: ["admin"] }],
};
const app = {
  ...{ client_id: "shop", name: "Shop", organization: "acme", owner },
  redirect_uris: ["https://shop.example/cb"],
};
const provider = {
  ...{ slug: "acme-oidc", label: "Acme", preset: "oidc", organization: "acme" },
  ...{ issuer: "https://idp.acme.example", client_id: "c", client_secret: "a secret of the file" },
};

async function ready(database: TestDatabase, more: object = {}) {
  const context = testContext(await database.open());
  await applyManifest({ ...base, ...more }, context);
  const { store } = context;
  return {
    context,
    store,
    change: (type: ResourceType, id: string | undefined, input: Input) =>
      updateRecord(context, resourceOf(type), id ?? "", input),
  };
}

/** Applies the file. The work runs once, after the comparison and before the transaction. */
function applyDuring(context: TestContext, file: object, work: () => Promise<unknown>, options = {}) {
  const { store } = context;
  const racing: TestContext["store"] = {
    ...store,
    async transaction(inside, how) {
      await work();
      return store.transaction(inside, how);
    },
  };
  return applyManifest(file, { ...context, store: racing }, options);
}

for (const database of databasesInForm)
  describe(`requests while a manifest is applied, on ${database.name}`, () => {
    test("H-66: an app that a manifest makes trusted has the redirect URIs of the file, whatever a request wrote meanwhile", async () => {
      const { context, store, change } = await ready(database, { apps: [app] });
      const { id } = (await store.find("oauth_apps", { client_id: "shop" })) ?? assert.fail();
      const meanwhile = { redirect_uris: ["https://evil.example/cb"], description: "Mine" };
      const trusted = { ...app, first_party: true };
      for (const dryRun of [true, false]) {
        const { updated, differences } = await applyDuring(
          context,
          { apps: [trusted] },
          () => change("apps", id, meanwhile),
          { dryRun },
        );
        assert.deepEqual(updated, ["app shop"]);
        if (dryRun)
          assert.deepEqual(differences?.[0]?.fields.redirect_uris, {
            before: meanwhile.redirect_uris,
            after: app.redirect_uris,
          });
      }
      const row = await store.find("oauth_apps", { id });
      assert.deepEqual(
        [row?.first_party, row?.redirect_uris, row?.description],
        [true, app.redirect_uris, "Mine"],
      );
    });

    test("H-66: a provider that a manifest trusts has the issuer and secret of the file, whatever a request wrote meanwhile", async () => {
      const { context, store, change } = await ready(database, { providers: [provider] });
      const { id } = (await store.find("providers", { slug: provider.slug })) ?? assert.fail();
      const meanwhile = { issuer: "https://evil.example", client_secret: "their secret" };
      const trusted = { ...provider, internal: true };
      await applyDuring(context, { providers: [trusted] }, () => change("providers", id, meanwhile));
      const row = (await store.find("providers", { id })) ?? assert.fail();
      assert.deepEqual([row.internal, row.issuer], [true, provider.issuer]);
      assert.ok(isStoredSecret(context, row, provider.client_secret));
    });

    test("H-66: records that already matched the file match it after a run that writes others", async () => {
      const { context, store, change } = await ready(database, { apps: [app] });
      const { id } = (await store.find("oauth_apps", { client_id: "shop" })) ?? assert.fail();
      const users = [{ email: owner, name: "Ada L" }];
      const meanwhile = { redirect_uris: ["https://evil.example/cb"] };
      const { updated, unchanged } = await applyDuring(context, { users, apps: [app] }, () =>
        change("apps", id, meanwhile),
      );
      assert.deepEqual([updated, unchanged], [[`user ${owner}`, "app shop"], []]);
      assert.deepEqual((await store.find("oauth_apps", { id }))?.redirect_uris, app.redirect_uris);
      // Nothing is written if a request has already made the change.
      const events = await store.count("audit_events", { type: "app.updated" });
      const renamed = { apps: [{ ...app, name: "Store" }] };
      const done = await applyDuring(context, renamed, () => change("apps", id, { name: "Store" }));
      assert.deepEqual([done.updated, done.unchanged], [[], ["app shop"]]);
      assert.equal(await store.count("audit_events", { type: "app.updated" }), events + 1);
    });

    test("H-66: a manifest deactivates a user although they keep renaming a record of the file", async () => {
      const { context, store, change } = await ready(database);
      const { id } = (await store.find("organizations", { slug: "acme" })) ?? assert.fail();
      const file = {
        organizations: [{ slug: "acme", name: "Wanted" }],
        users: [{ email: owner, active: false, attributes: { team: "none" } }],
      };
      let round = 0;
      await applyDuring(context, file, () => change("organizations", id, { name: `n${++round}` }));
      const [organization, user] = [
        await store.find("organizations", { id }),
        await store.find("users", { email_key: owner }),
      ];
      assert.deepEqual(
        [organization?.name, user?.active, user?.attributes],
        ["Wanted", false, { team: "none" }],
      );
    });

    test("H-66: nested rows, and APIs that apps name in their metadata, have the file's values too", async () => {
      const pem = () =>
        generateKeyPairSync("ec", { namedCurve: "P-256" })
          .publicKey.export({ type: "spki", format: "pem" })
          .toString();
      const pair = { key_id: "one", public_key_pem: pem() };
      const account = { email: "ci@acme.example", name: "CI", organization: "acme", created_by: owner };
      const secret = { value: "the secret of this app", expires_at: "2031-01-01T00:00:00.000Z" };
      const identifier = "https://api.example";
      const file = {
        apps: [{ ...app, secrets: [secret] }],
        service_accounts: [{ ...account, key_pairs: [pair] }],
        resources: [{ identifier, name: "API", organization: "acme" }],
      };
      const { context, store, change } = await ready(database, file);
      const [stored] = await store.list("oauth_app_secrets");
      const [key] = await store.list("service_account_key_pairs");
      const [api] = await store.list("resources");
      const other = { ...app, client_id: "other", name: "Other" };
      await applyManifest({ apps: [other] }, context);
      const { id: other_id } = (await store.find("oauth_apps", { client_id: "other" })) ?? assert.fail();
      const wanted = {
        ...file,
        apps: [{ ...file.apps[0], name: "Store", metadata: { resource: identifier } }],
        resources: [],
      };
      await applyDuring(context, wanted, async () => {
        await change("app_secrets", stored?.id, { expires_at: null });
        await change("key_pairs", key?.id, { public_key_pem: pem() });
        await change("resources", api?.id, { app_ids: [other_id] });
      });
      const { id } = (await store.find("oauth_apps", { client_id: "shop" })) ?? assert.fail();
      const kept = await store.find("oauth_app_secrets", { id: stored?.id ?? "" });
      assert.equal(kept?.expires_at?.toISOString(), secret.expires_at);
      assert.equal((await store.list("service_account_key_pairs"))[0]?.public_key_pem, key?.public_key_pem);
      // The other app was not in the file, so it stays.
      assert.deepEqual((await store.list("resources"))[0]?.app_ids, [other_id, id]);
    });

    test("H-66: a record that moved or was renamed meanwhile is changed only if the file still means it", async () => {
      const { context, store, change } = await ready(database, {
        roles: [{ organization: "acme", name: "clerk" }],
      });
      const acme = (await store.find("organizations", { slug: "acme" })) ?? assert.fail();
      const gamma = await anOrganization(store, { slug: "gamma" });
      const ofServer = await aProvider(store, { slug: "idp" });
      const entry = { slug: "idp", label: "IdP" };
      assert.deepEqual(
        await errorsOf(
          applyDuring(context, { providers: [entry] }, () =>
            store.update("providers", { id: ofServer.id }, { organization_id: gamma.id }),
          ),
        ),
        ["providers[0] not_of_manifest"],
      );
      // The entry's id, or a name that a manifest gave the record, still means it.
      await applyDuring(context, { providers: [{ ...entry, id: ofServer.id }] }, () =>
        store.update("providers", { id: ofServer.id }, { slug: "moved" }),
      );
      const found = await store.find("providers", { id: ofServer.id });
      assert.deepEqual([found?.slug, found?.label], ["idp", "IdP"]);
      await applyDuring(context, { organizations: [{ slug: "acme", name: "Acme Ltd" }] }, () =>
        change("organizations", acme.id, { slug: "delta" }),
      );
      assert.equal((await store.find("organizations", { id: acme.id }))?.slug, "acme");

      const [role] = await store.list("roles");
      const roles = [{ organization: "acme", name: "clerk", description: "Sells" }];
      await applyDuring(context, { roles }, () => change("roles", role?.id, { name: "seller" }));
      assert.equal((await store.find("roles", { id: role?.id ?? "" }))?.name, "clerk");
      const other = await aRole(store, { organization_id: acme.id, name: "buyer" });
      const others = [{ organization: "acme", name: "buyer", description: "Buys" }];
      await refused(
        applyDuring(context, { roles: others }, () => change("roles", other.id, { name: "seller" })),
        "conflict",
      );
      const user = await aUser(store, { email: "eve@example.com" });
      const users = [{ email: "eve@example.com", name: "Eve", is_platform_admin: true }];
      await refused(
        applyDuring(context, { users }, () => change("users", user.id, { email: "mal@example.com" })),
        "conflict",
      );
      const row = await store.find("users", { id: user.id });
      assert.deepEqual([row?.email, row?.is_platform_admin], ["mal@example.com", false]);
    });

    test("H-66: a record that a list refers to cannot be deleted meanwhile", async () => {
      const { context, store } = await ready(database, { apps: [app] });
      const { id: organization_id } = (await store.find("organizations", { slug: "acme" })) ?? assert.fail();
      const its = { organization: "acme" };
      const cases = [
        ["roles", { groups: [{ ...its, display_name: "ops", roles: ["clerk"] }] }],
        [
          "app_roles",
          { groups: [{ ...its, display_name: "ops", app_roles: ["https://pay.example#clerk"] }] },
        ],
        ["apps", { resources: [{ identifier: "https://orders.example", name: "Orders", apps: ["shop"] }] }],
      ] as const;
      const { id: resource_id } = await aResource(store, { identifier: "https://pay.example" });
      const made = {
        roles: () => aRole(store, { organization_id, name: "clerk" }),
        app_roles: () => anAppRole(store, { resource_id, name: "clerk" }),
        apps: async () => (await store.find("oauth_apps", { client_id: "shop" })) ?? assert.fail(),
      };
      for (const [type, file] of cases) {
        const { id } = await made[type]();
        const remove = async () => resourceOf(type).remove?.(context, id);
        const [section] = Object.keys(file) as ["groups" | "resources"];
        const before = await store.count(section);
        const path = type === "apps" ? "resources[0].apps[0]" : `groups[0].${type}[0]`;
        const deleted = applyDuring(context, { ...file, users: [{ email: owner, name: type }] }, remove);
        assert.deepEqual(await errorsOf(deleted), [`${path} no_record_called`]);
        assert.equal(await store.count(section), before);
      }
    });

    test("H-66: a manifest locks each row that it changes, so that requests wait for it", async () => {
      const { context, store } = await ready(database, { apps: [app], providers: [provider] });
      const { id } = (await store.find("oauth_apps", { client_id: "shop" })) ?? assert.fail();
      const [first] = await store.list("providers");
      const locked: string[] = [];
      const watching: TestContext["store"] = {
        ...store,
        transaction: (work, options) =>
          store.transaction(
            (tx) =>
              work({
                ...tx,
                async lock(...locks) {
                  for (const lock of locks) locked.push("text" in lock ? lock.text : lock.shared.text);
                  return tx.lock(...locks);
                },
              }),
            options,
          ),
      };
      const file = {
        apps: [{ ...app, first_party: true }],
        providers: [{ ...provider, internal: true }],
      };
      await applyManifest(file, { ...context, store: watching });
      const { id: role } = await aRole(store, { name: "auditor" });
      const groups = [{ organization: "acme", display_name: "ops", roles: ["auditor"] }];
      await applyManifest({ groups }, { ...context, store: watching });
      for (const lock of [
        recordLock("oauth_apps", id),
        recordLock("providers", first?.id ?? ""),
        recordLock("roles", role),
      ])
        assert.ok(locked.includes(lock.text), lock.text);
    });
  });
