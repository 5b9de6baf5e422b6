import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { describe, test } from "node:test";
import type { AccountNotice } from "../../src/admin/access/actor.ts";
import type { Input } from "../../src/admin/access/errors.ts";
import { createRecord, removeRecord, revokeRecord, updateRecord } from "../../src/admin/manage/manage.ts";
import { applyManifest } from "../../src/admin/manifest/apply_manifest.ts";
import { exportManifest } from "../../src/admin/manifest/export.ts";
import { nameOfId } from "../../src/admin/manifest/identity.ts";
import { memberOf, pathBelow, referenceIn } from "../../src/admin/manifest/members/entry.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { Problem } from "../../src/errors.ts";
import { type ResourceType, tableOfResourceType } from "../../src/records/definition/permissions.ts";
import { userLock } from "../../src/records/names/lock_names.ts";
import type { Store } from "../../src/storage/store.ts";
import {
  aConsent,
  aMembership,
  anApiKey,
  anApp,
  anAppRole,
  anAttribute,
  anOAuthAccount,
  anOrganization,
  aProvider,
  aResource,
  aRole,
  aSecret,
  aServiceAccount,
  aSession,
  aToken,
  aUser,
} from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { errorsOf, refused as refusedWith, testContext } from "./context.ts";

/** Returns the manifest entry for the input of a request, with names in place of ids. */
async function entryOf(store: Store, resourceType: ResourceType, input: Input): Promise<Input> {
  const table = tableOfResourceType[resourceType];
  const members = Object.entries(input).map(async ([name, value]) => {
    const reference = referenceIn(table, name);
    const nameOf = (id: unknown) => nameOfId(store, reference?.to ?? table, String(id));
    if (reference === undefined) return [name, value];
    return [
      memberOf(table, name),
      await (Array.isArray(value) ? Promise.all(value.map(nameOf)) : nameOf(value)),
    ];
  });
  return Object.fromEntries(await Promise.all(members));
}

/** A refused request: a creation or, with `id`, a change. */
type Case = readonly [resourceType: ResourceType, input: Input, ...expected: string[]];

for (const database of databasesInForm)
  describe(`H-66: a manifest is refused with the same errors as requests, on ${database.name}`, async () => {
    const store = await database.open();
    const operator = await aUser(store, { is_platform_admin: true });
    await aUser(store, { is_platform_admin: true });
    const root = {
      ...testContext(store, { kind: "user", user: operator }),
      switches: { password_length: 15 },
    };
    const acme = await anOrganization(store, { attributes: { left: "x" } });
    const other = await anOrganization(store);
    const organization_id = acme.id;
    const ofAcme = { record_type: "memberships", organization_id } as const;
    await anAttribute(store, { ...ofAcme, name: "level", claim: "level", scopes: ["profile"] });
    await anAttribute(store, { name: "grade", record_type: "memberships", claim: "grade" });
    await anAttribute(store, { name: "team", writers: ["provider"] });
    await anAttribute(store, { name: "notes", value_type: "list" });
    await anAttribute(store, { name: "preferred_username", writers: ["admin"], pattern: "[^,]+" });
    const ada = await aUser(store, { attributes: { team: "Sales" } });
    const member = await aMembership(store, { user_id: ada.id, organization_id });
    await aRole(store, { name: "auditor" });
    const ownRole = await aRole(store, { name: "clerk", organization_id });
    const api = await aResource(store, { scopes: { read: "Read" } });
    const theirs = await aResource(store, { organization_id: other.id });
    const appRole = await anAppRole(store, { resource_id: api.id, scopes: ["read"] });
    const provider = await aProvider(store);
    const google = await aProvider(store, { preset: "google", issuer: null });
    const users = { record_type: "users" };
    const app = { owner_id: ada.id, organization_id, redirect_uris: ["https://app.example/cb"] };
    const own = { preset: "google", client_id: "c", client_secret: "s", slug: "own" };
    const long = Array.from({ length: 90 }, () => "x".repeat(250));

    const cases: readonly Case[] = [
      ["attributes", { ...users, name: "size", claim: "size" }, "/scopes claim_without_scope"],
      ["attributes", { ...users, name: "size", organization_id }, "/organization_id attribute_of_users"],
      ["attributes", { ...users, name: "size", writers: ["provider", "user"] }, "/writers provider_alone"],
      ["attributes", { ...ofAcme, name: "size", writers: ["user"] }, "/writers written_by_admins"],
      [
        "attributes",
        { ...users, name: "size", claim: "phone_number", scopes: ["phone"] },
        "/claim reserved_claim",
      ],
      ["attributes", { ...users, name: "locale", value_type: "number" }, "/value_type fixed_for_standard"],
      [
        "attributes",
        { ...ofAcme, name: "grade", claim: "grade", scopes: ["profile"] },
        "/name taken",
        "/claim taken",
      ],
      ["attributes", { record_type: "memberships", name: "level" }, "/name used_by_organizations"],
      ["attributes", { record_type: "organizations", name: "left" }, "/name used_by_organizations"],
      ["attributes", { record_type: "apps", name: "tier", claim: "level" }, "/claim used_by_organizations"],
      ["users", { id: ada.id, attributes: { team: "Board" } }, "/attributes/team attribute_not_yours"],
      ["users", { id: ada.id, attributes: { team: "Sales", none: "x" } }, "/attributes/none no_attribute"],
      [
        "users",
        { id: ada.id, attributes: { team: "Sales", preferred_username: operator.email } },
        "/attributes/preferred_username address_not_own",
      ],
      ["users", { id: ada.id, attributes: { team: "Sales", notes: long } }, "/attributes too_many_bytes"],
      [
        "users",
        { email: "new@acme.example", name: "New", password: "short pass" },
        "/password password_too_short",
      ],
      ["users", { id: operator.id, active: false }, "/active self_switched_off"],
      ["memberships", { id: member.id, attributes: { level: { a: 1 } } }, "/attributes/level not_text"],
      [
        "organizations",
        { slug: "new", name: "New", attributes: { none: "x" } },
        "/attributes/none no_attribute",
      ],
      [
        "organizations",
        { slug: "new", name: "New", settings: { audience: theirs.identifier } },
        "/settings/audience reserved_identifier",
      ],
      ["apps", { ...app, name: "New", attributes: { none: "x" } }, "/attributes/none no_attribute"],
      ["roles", { name: "auditor", organization_id }, "/name taken"],
      ["roles", { id: ownRole.id, name: "auditor" }, "/name taken"],
      ["app_roles", { resource_id: api.id, name: "w", scopes: ["write"] }, "/scopes/0 scope_not_of_api"],
      ["app_roles", { id: appRole.id, scopes: ["read", "write"] }, "/scopes/1 scope_not_of_api"],
      [
        "providers",
        { ...own, attribute_claims: { none: "dept" } },
        "/attribute_claims/none no_provided_attribute",
      ],
      [
        "providers",
        { id: provider.id, attribute_claims: { notes: "dept" } },
        "/attribute_claims/notes no_provided_attribute",
      ],
      ["providers", { id: google.id, preset: "github" }, "/client_secret needed_by_preset"],
    ];

    for (const [resourceType, { id, ...input }, ...expected] of cases)
      test(`${resourceType}: ${expected.join(", ")}`, async () => {
        const resource = resourceOf(resourceType);
        const request =
          id === undefined
            ? createRecord(root, resource, input)
            : updateRecord(root, resource, String(id), input);
        assert.deepEqual(await errorsOf(request), expected);
        const entry = await entryOf(store, resourceType, input);
        const manifest = { [resourceType]: [{ ...(id !== undefined && { id }), ...entry }] };
        const inFile = expected.map((text) => {
          const [path = "", code] = text.split(" ");
          return `${pathBelow(`${resourceType}[0]`, path, resource.table)} ${code}`;
        });
        for (const dryRun of [true, false])
          assert.deepEqual(await errorsOf(applyManifest(manifest, root, { dryRun })), inFile);
      });

    test("a refused manifest writes nothing", async () => assert.equal(await store.count("audit_events"), 0));
  });

for (const database of databasesInForm)
  test(`H-66: an exported file can be applied again, and keeps fields that no file can set, on ${database.name}`, async () => {
    const context = testContext(await database.open());
    const { store } = context;
    const acme = await anOrganization(store, { attributes: { region: "EU", desk: "4", left: "x" } });
    const at = { record_type: "organizations" } as const;
    await anAttribute(store, { ...at, name: "region" });
    await anAttribute(store, { ...at, name: "desk", organization_id: acme.id });
    await anAttribute(store, { name: "team", writers: ["provider"] });
    await anAttribute(store, { name: "preferred_username", writers: ["admin"], pattern: "[^,]+" });
    const email = "ada@acme.example";
    const kept = { team: "Sales", preferred_username: email, left: "x" };
    const { id } = await aUser(store, {
      ...{ email, email_verified_at: context.now() },
      attributes: { ...kept, locale: "en" },
    });
    const file = await exportManifest(context);
    assert.deepEqual((await applyManifest(file, context, { dryRun: true })).differences, []);
    await applyManifest({ users: [{ email, attributes: { locale: "de" } }] }, context);
    assert.deepEqual((await store.find("users", { id }))?.attributes, { ...kept, locale: "de" });
    await applyManifest({ users: [{ email, attributes: null }] }, context);
    assert.deepEqual((await store.find("users", { id }))?.attributes, kept);

    const empty = testContext(await database.open());
    for (const dryRun of [true, false]) await applyManifest(file, empty, { dryRun });
    const [user] = await empty.store.list("users");
    const [organization] = await empty.store.list("organizations");
    assert.deepEqual(
      [user?.attributes, organization?.attributes],
      [{ locale: "en" }, { region: "EU", desk: "4" }],
    );
  });

for (const database of databasesInForm)
  test(`H-66: a manifest does not take over a record that another organization created, on ${database.name}`, async () => {
    const context = testContext(await database.open());
    const { store } = context;
    const acme = await anOrganization(store);
    const beta = await anOrganization(store);
    const refused = (file: object) => errorsOf(applyManifest(file, context));
    const theirs = await anApp(store, { client_id: "billing", organization_id: acme.id });
    const entry = { name: "Billing", client_id: "billing" };
    for (const more of [{}, { organization: beta.slug }, { organization: acme.slug }])
      assert.deepEqual(await refused({ apps: [{ ...entry, ...more }] }), ["apps[0] not_of_manifest"]);
    await applyManifest({ apps: [{ ...entry, id: theirs.id, organization: beta.slug }] }, context);
    assert.equal((await store.find("oauth_apps", { client_id: "billing" }))?.organization_id, beta.id);

    const { email } = await aUser(store);
    const own = { ...entry, owner: email, client_id: "shop", redirect_uris: ["https://shop.example/cb"] };
    await applyManifest({ apps: [{ ...own, organization: beta.slug }] }, context);
    const moved = { ...own, organization: acme.slug };
    assert.deepEqual(await refused({ apps: [moved] }), ["apps[0] not_of_manifest"]);
    const { id } = (await store.find("oauth_apps", { client_id: "shop" })) ?? {};
    await applyManifest({ apps: [{ ...moved, id }] }, context);
    assert.equal((await store.find("oauth_apps", { client_id: "shop" }))?.organization_id, acme.id);

    await anApiKey(store, { organization_id: acme.id, name: "deploy" });
    const key = { organization: acme.slug, name: "deploy" };
    assert.deepEqual(await refused({ api_keys: [key] }), ["api_keys[0] not_of_manifest"]);
  });

for (const database of databasesInForm)
  describe(`H-66: a manifest takes over only records that a manifest created, on ${database.name}`, () => {
    const ready = async () => {
      const context = testContext(await database.open());
      const { email: owner } = await aUser(context.store);
      const organization = await anOrganization(context.store, { slug: "acme" });
      return { context, store: context.store, owner, organization };
    };

    test("H-66: a record that keeps a credential or permission is taken over only with its id", async () => {
      const { context, store, owner, organization } = await ready();
      const its = { organization_id: organization.id };
      const records: [string, { id: string }, object][] = [
        ["organizations", organization, { slug: "acme", plan: "pro" }],
        ["apps", await anApp(store, { ...its, client_id: "shop" }), { client_id: "shop", owner }],
        [
          "service_accounts",
          await aServiceAccount(store, { ...its, email: "ci@acme.example" }),
          { email: "ci@acme.example", organization: "acme", allowed_scopes: ["postern:read"] },
        ],
        [
          "providers",
          await aProvider(store, { ...its, slug: "acme-oidc" }),
          { slug: "acme-oidc", organization: "acme", label: "Acme" },
        ],
        [
          "attributes",
          await anAttribute(store, { ...its, name: "grade", record_type: "memberships" }),
          { organization: "acme", record_type: "memberships", name: "grade", label: "Grade" },
        ],
      ];
      for (const [section, { id }, entry] of records) {
        const whole = section === "apps" ? { ...entry, organization: "acme" } : entry;
        const errors = await errorsOf(applyManifest({ [section]: [whole] }, context));
        assert.deepEqual(errors, [`${section}[0] not_of_manifest`]);
        for (let run = 0; run < 2; run++) await applyManifest({ [section]: [{ ...whole, id }] }, context);
      }
      const ofServer = await anApp(store, { client_id: "console" });
      await applyManifest({ apps: [{ client_id: "console", name: "Console" }] }, context);
      assert.equal((await store.find("oauth_apps", { id: ofServer.id }))?.name, "Console");
    });

    test("H-66: a record that a manifest created is not taken over under another name", async () => {
      const { context, store, owner } = await ready();
      const file = {
        organizations: [{ slug: "beta", name: "Beta" }],
        service_accounts: [{ email: "a@beta.example", name: "A", organization: "beta", created_by: owner }],
        apps: [{ name: "Tool", owner, organization: "beta", redirect_uris: ["https://beta.example/cb"] }],
        api_keys: [{ user: owner, name: "tool" }],
      };
      await applyManifest(file, context);
      assert.deepEqual((await applyManifest(file, context)).updated, []);
      const [account] = await store.list("service_accounts");
      const beta = await store.find("organizations", { slug: "beta" });
      const renames: [keyof typeof file, () => Promise<unknown>, object][] = [
        [
          "apps",
          () => store.update("oauth_apps", { name: "Tool" }, { name: "Gateway" }),
          { name: "Gateway" },
        ],
        [
          "api_keys",
          () => store.update("api_keys", { name: "tool" }, { name: "deploy" }),
          { name: "deploy" },
        ],
        [
          "service_accounts",
          () =>
            store.update("service_accounts", {}, { email: "b@beta.example", email_key: "b@beta.example" }),
          { email: "b@beta.example" },
        ],
        [
          "organizations",
          () => store.update("organizations", { slug: "beta" }, { slug: "gamma" }),
          { slug: "gamma" },
        ],
      ];
      for (const [section, rename, name] of renames) {
        await rename();
        const entry = { ...file[section][0], ...name };
        const errors = await errorsOf(applyManifest({ [section]: [entry] }, context));
        assert.deepEqual(errors, [`${section}[0] not_of_manifest`]);
      }
      // A manifest may rename the record with the id, and then names it without the id.
      const service_accounts = [{ id: account?.id, email: "c@beta.example" }];
      await applyManifest({ service_accounts }, context);
      await applyManifest(
        { service_accounts: [{ email: "c@beta.example", organization: "gamma", name: "C" }] },
        context,
      );
      assert.equal(beta?.name, "Beta");
    });

    test("H-66: an entry finds the record that its name meant, and gives it this name again", async () => {
      const { context, store, owner } = await ready();
      const whole = {
        organizations: [{ slug: "beta", name: "Beta" }],
        roles: [{ organization: "beta", name: "clerk" }],
        providers: [
          {
            ...{ slug: "beta-oidc", label: "B", organization: "beta", preset: "google" },
            ...{ client_id: "c", client_secret: "a secret" },
          },
        ],
        api_keys: [{ organization: "beta", name: "deploy", scopes: ["postern:apps:write"] }],
        apps: [{ name: "Shop", owner, organization: "beta", redirect_uris: ["https://b.example/cb"] }],
        groups: [{ organization: "beta", display_name: "ops", roles: ["clerk"] }],
        service_accounts: [
          { email: "bot@beta.example", name: "bot", organization: "beta", created_by: owner },
        ],
      };
      await applyManifest(whole, context);
      const { removed: none, ...again } = await applyManifest(whole, context, { prune: true });
      assert.deepEqual([none, again.created, again.updated], [[], [], []]);
      const [key] = await store.list("api_keys");
      await store.update("organizations", { slug: "beta" }, { slug: "gamma" });
      await store.update("roles", { name: "clerk" }, { name: "none", name_key: "none" });
      await store.update("providers", { slug: "beta-oidc" }, { slug: "other" });
      await store.update("api_keys", { name: "deploy" }, { name: "other" });
      await store.update("oauth_apps", { name: "Shop" }, { name: "Other" });
      await store.update("groups", { display_name: "ops" }, { display_name: "other" });
      const other = "b@beta.example";
      await store.update("service_accounts", {}, { email: other, email_key: other });
      const ended = {
        ...whole,
        providers: whole.providers.map((entry) => ({ ...entry, active: false })),
        api_keys: whole.api_keys.map((entry) => ({ ...entry, revoked: true })),
        apps: whole.apps.map((entry) => ({ ...entry, active: false })),
        service_accounts: whole.service_accounts.map((entry) => ({ ...entry, active: false })),
      };
      const { created, removed } = await applyManifest(ended, context, { prune: true });
      assert.deepEqual([created, removed], [[], []]);
      assert.deepEqual(await store.list("api_keys", { revoked: true, name: "deploy" }), [
        { ...key, revoked: true, name: "deploy" },
      ]);
      for (const table of ["providers", "oauth_apps", "service_accounts"] as const)
        assert.equal(await store.count(table, { active: true }), 0);
      assert.equal(await store.count("organizations", { slug: "beta" }), 1);

      // An entry with the id decides, and the name is free for a new record.
      const { id } = (await store.find("organizations", { slug: "beta" })) ?? {};
      await store.update("organizations", { slug: "beta" }, { slug: "gamma" });
      await applyManifest({ organizations: [{ id, slug: "gamma" }, ...whole.organizations] }, context);
      assert.deepEqual((await store.list("organizations")).map(({ slug }) => slug).toSorted(), [
        "acme",
        "beta",
        "gamma",
      ]);
    });

    test("H-66: a reference keeps its meaning after another organization took the slug", async () => {
      const { context, store, owner, organization } = await ready();
      const entry = { owner, organization: "acme", redirect_uris: ["https://acme.example/cb"] };
      const file = {
        roles: [{ organization: "acme", name: "clerk" }],
        attributes: [{ organization: "acme", record_type: "memberships", name: "level", label: "L" }],
        apps: [{ ...entry, client_id: "web", name: "Web" }],
        groups: [{ organization: "acme", display_name: "ops", roles: ["clerk"] }],
        memberships: [{ user: owner, organization: "acme", role: "admin" }],
      };
      await applyManifest(file, context);
      assert.deepEqual(await store.recordMeant("organizations", 'organizations {"slug":"acme"}'), {
        id: organization.id,
        by_entry: false,
      });
      await store.update("organizations", { id: organization.id }, { slug: "acme-inc" });
      const { updated, created } = await applyManifest(file, context);
      assert.deepEqual([updated, created], [[], []]);
      const evil = await anOrganization(store, { slug: "acme" });
      const error = await applyManifest(file, context, { prune: true }).catch((refusal: Problem) => refusal);
      assert.ok(error instanceof Problem);
      assert.deepEqual(error.errors[0], {
        path: "attributes[0].organization",
        code: "name_moved",
        params: { record: "organization", id: evil.id, was: organization.id },
      });
      assert.ok(error.errors.every(({ code }) => code === "name_moved"));
      assert.equal(await store.count("oauth_apps", { organization_id: organization.id }), 1);
      // An entry decides.
      const entries = [{ id: evil.id, slug: "acme" }];
      const errors = await errorsOf(applyManifest({ ...file, organizations: entries }, context));
      assert.deepEqual(errors, ["apps[0] not_of_manifest"]);
      await applyManifest({ organizations: entries, roles: file.roles }, context);
      assert.equal(await store.count("roles", { organization_id: evil.id }), 1);
      await applyManifest({ roles: file.roles }, context);
    });

    test("H-66: a reference does not mean an app that was created after the one that it meant", async () => {
      const { context, store, organization } = await ready();
      const { email: user } = await aUser(store);
      const its = { client_id: "web", organization_id: organization.id };
      const { id: was } = await anApp(store, its);
      const resources = [{ identifier: "https://api.example", name: "API", apps: ["web"] }];
      const consents = [{ user, app: "web", scopes: ["openid"] }];
      await applyManifest({ resources, consents }, context);
      await store.remove("oauth_apps", { id: was });
      assert.deepEqual(await errorsOf(applyManifest({ resources }, context)), [
        "resources[0].apps[0] no_record_called",
      ]);
      const { id } = await anApp(store, its);
      assert.deepEqual(await errorsOf(applyManifest({ resources, consents }, context)), [
        "resources[0].apps[0] name_moved",
        "consents[0].app name_moved",
      ]);
      const apps = [{ id, client_id: "web" }];
      await applyManifest({ resources, consents, apps }, context);
      assert.deepEqual(
        (await store.list("resources")).map(({ app_ids }) => app_ids),
        [[id]],
      );
    });

    test("H-66: a role keeps its meaning in its organization", async () => {
      const { context, store, organization } = await ready();
      const { id: was } = await aRole(store, { name: "clerk" });
      const groups = [{ organization: "acme", display_name: "ops", roles: ["clerk"] }];
      await applyManifest({ groups }, context);
      const { id } = await aRole(store, { name: "clerk", organization_id: organization.id });
      assert.deepEqual(await errorsOf(applyManifest({ groups }, context)), ["groups[0].roles[0] name_moved"]);
      await applyManifest({ groups, roles: [{ id, organization: "acme", name: "clerk" }] }, context);
      assert.deepEqual(
        (await store.list("groups")).map(({ role_ids }) => role_ids),
        [[id]],
      );
      assert.notEqual(was, id);
    });

    test("H-66: an entry finds the user whom a manifest created, at the new email address", async () => {
      const { context, store } = await ready();
      const walt = { email: "walt@acme.example", name: "Walt" };
      const file = (more: object) => ({
        users: [{ ...walt, ...more }],
        memberships: [{ user: walt.email, organization: "acme", role: "member" }],
      });
      await applyManifest(file({ is_platform_admin: true }), context);
      const { id = "" } = (await store.find("users", { email_key: walt.email })) ?? {};
      const [name] = await store.list("manifest_names", { table_name: "users" });
      assert.ok(name?.record_id === id && !name.name.includes("walt"));
      const email = "walt2@acme.example";
      await store.update("users", { id }, { email, email_key: email });
      await aUser(store, { is_platform_admin: true });
      const { created, removed, updated } = await applyManifest(file({ active: false }), context, {
        prune: true,
      });
      assert.deepEqual([created, removed, updated], [[], [], [`user ${email}`]]);
      assert.deepEqual((await store.find("users", { id }))?.active, false);
      const other = await aUser(store, { email: walt.email });
      assert.deepEqual(await errorsOf(applyManifest(file({}), context)), ["users[0] name_moved"]);
      await applyManifest(file({ id: other.id }), context);
      await applyManifest({ users: [{ id, email: "walt3@acme.example" }] }, context);
      assert.equal((await store.find("users", { id }))?.email, "walt3@acme.example");
      await removeRecord(context, resourceOf("users"), id);
      assert.equal(await store.count("manifest_names", { table_name: "users", record_id: id }), 0);
      // Addresses of users whom no manifest created are not remembered.
      const { email: known } = await aUser(store);
      await applyManifest({ users: [{ email: known, name: "Known" }] }, context);
      assert.equal(await store.count("manifest_names", { table_name: "users" }), 1);
    });

    test("H-66: a record of an earlier version is recognized only by a name that cannot change", async () => {
      const { context, store, owner, organization } = await ready();
      const file = {
        api_keys: [{ organization: "acme", name: "reader", scopes: ["postern:apps:read"] }],
        apps: [{ client_id: "web", owner, organization: "acme", name: "Web" }],
      };
      await applyManifest(file, context);
      await store.remove("manifest_names", {});
      await store.update("api_keys", { name: "reader" }, { name: "deployer" });
      const api_keys = [{ organization: "acme", name: "deployer", scopes: ["postern:manage"] }];
      const errors = await errorsOf(applyManifest({ api_keys }, context));
      assert.deepEqual(errors, ["api_keys[0] not_of_manifest"]);
      await applyManifest({ apps: file.apps }, context);
      assert.equal(await store.count("oauth_apps", { organization_id: organization.id }), 1);
    });

    test("H-66: a dry run and a refused manifest remember no names, an unchanged record's name is remembered", async () => {
      const { context, store, organization } = await ready();
      const roles = [{ organization: "acme", name: "clerk" }];
      await applyManifest({ roles }, context, { dryRun: true });
      await applyManifest({ roles, users: [{ email: "none" }] }, context).catch(() => undefined);
      assert.equal(await store.count("manifest_names"), 0);
      await aRole(store, { organization_id: organization.id, name: "clerk" });
      const { unchanged } = await applyManifest({ roles }, context);
      assert.deepEqual([unchanged.length, await store.count("manifest_names")], [1, 2]);
    });

    test("H-66: users cannot make a file ambiguous by giving a key the name of one that a manifest created", async () => {
      const { context, store } = await ready();
      const { id: user_id, email } = await aUser(store);
      const api_keys = [{ user: email, name: "ci", scopes: [] }];
      await applyManifest({ api_keys }, context);
      await anApiKey(store, { user_id, name: "ci" });
      assert.equal((await applyManifest({ api_keys }, context)).unchanged.length, 1);
      await applyManifest({ api_keys: [{ user: email, name: "other" }] }, context);
      await store.update("api_keys", { name: "other" }, { name: "ci" });
      assert.equal((await applyManifest({ api_keys }, context)).unchanged.length, 1);
    });
  });

for (const database of databasesInForm)
  describe(`H-66: users who change their own record do not stop a manifest, on ${database.name}`, () => {
    /** Returns a context in which the work runs between the comparison and the transaction. */
    const racing = (store: Store, work: () => Promise<unknown>) =>
      testContext({
        ...store,
        async transaction(inside, options) {
          await work();
          return store.transaction(inside, options);
        },
      });

    test("H-66: a manifest deactivates or deletes users who change their own record at the same time", async () => {
      const store = await database.open();
      await aUser(store, { is_platform_admin: true });
      await anAttribute(store, { name: "desk" });
      await anAttribute(store, { name: "team" });
      const user = { email: "mia@example.com", name: "Mia", attributes: { team: "a" } };
      await applyManifest({ users: [user] }, testContext(store));
      const { id = "" } = (await store.find("users", { email_key: user.email })) ?? {};
      let round = 0;
      const change = () =>
        store.update(
          "users",
          { id },
          {
            name: `Mia ${++round}`,
            attributes: { team: "a", desk: `${round}` },
            last_login_at: new Date(round),
          },
        );
      await change();
      const attributes = { team: "b", desk: "1" };
      const entry = { ...user, active: false, password: "a new and long passphrase", attributes };
      await applyManifest({ users: [entry] }, racing(store, change));
      const row = await store.find("users", { id });
      assert.deepEqual([row?.active, row?.name, row?.attributes], [false, "Mia", attributes]);
      const { removed } = await applyManifest({}, racing(store, change), { prune: true });
      assert.deepEqual(removed, ["user mia@example.com"]);
    });

    test("H-66: a manifest deactivates or deletes users whom another request changed meanwhile", async () => {
      const changes = [
        {
          file: { users: [{ email: "mia@example.com", active: false }] },
          change: { is_platform_admin: true },
        },
        { file: { users: [{ email: "mia@example.com", active: false }] }, change: { active: false } },
        { file: undefined, change: { is_platform_admin: true } },
      ];
      for (const { file, change } of changes) {
        const store = await database.open();
        await aUser(store, { is_platform_admin: true });
        await applyManifest({ users: [{ email: "mia@example.com", name: "Mia" }] }, testContext(store));
        const work = () => store.update("users", { email_key: "mia@example.com" }, change);
        const context = racing(store, work);
        const applied = applyManifest(file ?? {}, context, { prune: file === undefined });
        const { updated, removed } = await applied;
        // If another request has already deactivated the user, nothing is left to do.
        const isDone = "active" in change;
        assert.deepEqual(removed ?? updated, isDone ? [] : ["user mia@example.com"]);
        const row = await store.find("users", { email_key: "mia@example.com" });
        assert.equal(row?.active, file && false);
      }
    });

    test("H-66: pruning a membership waits for a request that issues tokens to its user", async () => {
      const store = await database.open();
      const context = testContext(store);
      const users = [{ email: "mia@example.com", name: "Mia" }];
      const organizations = [{ slug: "acme", name: "Acme" }];
      const file = { organizations, users };
      const memberships = [{ user: "mia@example.com", organization: "acme", role: "member" }];
      await applyManifest({ ...file, memberships }, context);
      const { id = "" } = (await store.find("users", { email_key: "mia@example.com" })) ?? {};
      const locked: string[] = [];
      const watching = testContext({
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
      });
      const { removed } = await applyManifest(file, watching, { prune: true });
      assert.deepEqual(removed, ["membership mia@example.com acme"]);
      assert.ok(locked.includes(userLock(id).text), locked.join());
    });
  });

for (const database of databasesInForm)
  describe(`a manifest has the effects of requests, on ${database.name}`, () => {
    test("H-66: callers cannot change their own password or email address by a manifest", async () => {
      const context = testContext(await database.open());
      const user = await aUser(context.store, { is_platform_admin: true });
      const own = { ...context, actor: { kind: "user", user } as const };
      const entry = { id: user.id, email: "other@example.com", password: "a new and long passphrase" };
      const errors = ["users[0].password own_in_manifest", "users[0].email own_in_manifest"];
      assert.deepEqual(await errorsOf(applyManifest({ users: [entry] }, own)), errors);
      await applyManifest({ users: [entry] }, context);
    });

    test("SU-6: a manifest writes nothing if the caller's session ended during the request", async () => {
      const context = testContext(await database.open());
      const { store } = context;
      const user = await aUser(store, { is_platform_admin: true });
      const { id: session_id } = await aSession(store, { user_id: user.id, ended_at: context.now() });
      const own = { ...context, actor: { kind: "user", user, session_id } as const };
      await refusedWith(
        applyManifest({ organizations: [{ slug: "acme", name: "Acme" }] }, own),
        "unauthorized",
      );
      assert.equal(await store.count("organizations"), 0);
    });

    test("SS-8: a manifest notifies users of changes to their accounts, except those that it creates", async () => {
      const store = await database.open();
      const notices: AccountNotice[] = [];
      const context = { ...testContext(store), onAccountNotice: (it: AccountNotice) => notices.push(it) };
      const kinds = () => notices.splice(0).map(({ kind }) => kind);
      const email = "ada@example.com";
      const linked_accounts = [{ user: email, provider: "github", provider_user_id: "7" }];
      const ada = { email, name: "Ada" };
      await applyManifest({ users: [ada], linked_accounts }, context);
      assert.deepEqual(kinds(), []);
      const changed = { users: [{ ...ada, password: "a new and long passphrase" }], linked_accounts };
      const scopes = ["postern:users:read"];
      const api_keys = ["CI", "CD"].map((name) => ({ user: email, name, scopes }));
      for (const dryRun of [true, false]) await applyManifest({ ...changed, api_keys }, context, { dryRun });
      assert.deepEqual(kinds(), ["password", "api_key"]);
      await applyManifest({ users: [ada] }, context, { prune: true });
      assert.deepEqual(kinds(), ["link_removed"]);
      await applyManifest({}, context, { prune: true });
      assert.deepEqual(kinds(), ["deleted"]);
    });

    test("EP-2: a provider created by a manifest takes over links that waited for it; a renamed one keeps its slug reserved", async () => {
      const context = testContext(await database.open());
      const { store } = context;
      const link = await anOAuthAccount(store, { provider: "own", provider_id: null });
      const provider = { slug: "own", preset: "google", client_id: "c", client_secret: "s" };
      await applyManifest({ providers: [provider] }, context);
      const [made] = await store.list("providers");
      assert.equal((await store.find("oauth_accounts", { id: link.id }))?.provider_id, made?.id);
      await store.transaction((tx) => tx.remove("oauth_accounts", { id: link.id }));
      await applyManifest({ providers: [{ id: made?.id, slug: "renamed" }] }, context);
      assert.equal((await store.find("retired_providers", { slug: "own" }))?.provider_id, made?.id);
    });

    test("a consent that a manifest narrows ends wider tokens, and is neither widened nor granted again", async () => {
      const context = testContext(await database.open());
      const { store, clock } = context;
      const user = await aUser(store);
      const app = await anApp(store);
      const scopes = ["openid", "orders:read"];
      const consent = await aConsent(store, { user_id: user.id, app_id: app.id, scopes });
      const token = await aToken(store, { user_id: user.id, app_id: app.id, scopes });
      clock.advance(60);
      const file = (kept: string[]) => ({
        consents: [{ user: user.email, app: app.client_id, scopes: kept }],
      });
      await applyManifest(file(["openid"]), context);
      assert.equal((await store.find("oauth_tokens", { id: token.id }))?.revoked_reason, "consent_withdrawn");
      assert.deepEqual(await errorsOf(applyManifest(file(scopes), context)), [
        "consents[0].scopes[1] not_in_consent",
      ]);
      await revokeRecord(context, resourceOf("consents"), consent.id);
      const { unchanged } = await applyManifest(file(["openid"]), context);
      assert.equal(unchanged.length, 1);
      assert.equal((await store.find("oauth_consents", { id: consent.id }))?.revoked, true);
    });

    test("a key pair that a manifest switches off, replaces or prunes ends the tokens obtained with it", async () => {
      const pem = () =>
        generateKeyPairSync("ec", { namedCurve: "P-256" })
          .publicKey.export({ type: "spki", format: "pem" })
          .toString();
      for (const change of [{ active: false }, { public_key_pem: pem() }, undefined]) {
        const context = testContext(await database.open());
        const { store, clock } = context;
        const { email: created_by } = await aUser(store);
        const { slug: organization } = await anOrganization(store);
        const account = { email: "ci@acme.example", name: "CI", organization, created_by };
        const pair = { key_id: "one", public_key_pem: pem() };
        const file = (key_pairs: object[]) => ({ service_accounts: [{ ...account, key_pairs }] });
        await applyManifest(file([pair]), context);
        const [made] = await store.list("service_account_key_pairs");
        const { id: key_pair_id, service_account_id } = made ?? assert.fail("no key pair");
        const request_data = JSON.stringify({ key_pair_id });
        const token = await aToken(store, { user_id: null, service_account_id, request_data });
        clock.advance(60);
        const key_pairs = change === undefined ? [] : [{ ...pair, ...change }];
        await applyManifest(file(key_pairs), context, { prune: change === undefined });
        assert.equal((await store.find("oauth_tokens", { id: token.id }))?.revoked, true);
      }
    });

    test("a manifest is refused if a protected record changed after the comparison", async () => {
      const store = await database.open();
      const root = await aUser(store, { is_platform_admin: true });
      await applyManifest({ users: [{ email: "next@example.com", name: "Next" }] }, testContext(store));
      const next = await store.find("users", { email_key: "next@example.com" });
      // Between comparison and transaction, the only administrator hands over to the other user.
      let pending: (() => Promise<void>) | undefined = async () => {
        await store.update("users", { id: next?.id ?? "" }, { is_platform_admin: true });
        await store.update("users", { id: root.id }, { is_platform_admin: false });
      };
      const transaction: Store["transaction"] = async (work, options) => {
        const first = pending;
        pending = undefined;
        await first?.();
        return store.transaction(work, options);
      };
      const context = testContext({ ...store, transaction });
      const file = { organizations: [{ slug: "acme", name: "Acme" }] };
      await assert.rejects(applyManifest(file, context, { prune: true }));
      assert.deepEqual(
        [await store.count("users", { is_platform_admin: true }), await store.count("organizations")],
        [1, 0],
      );
    });

    test("EP-13: a manifest that would prune the caller's last sign-in method is refused", async () => {
      const context = testContext(await database.open());
      const { store } = context;
      const user = await aUser(store, { is_platform_admin: true });
      const link = { user: user.email, provider: "github", provider_user_id: "7" };
      await applyManifest({ linked_accounts: [link] }, context);
      const own = { ...context, actor: { kind: "user", user } as const };
      await refusedWith(applyManifest({}, own, { prune: true }), "conflict");
      assert.equal(await store.count("oauth_accounts"), 1);
    });

    test("only the platform can switch an app on again after a manifest says that it is off", async () => {
      const context = testContext(await database.open());
      const { id, client_id } = await anApp(context.store, { active: false });
      const apply = () => applyManifest({ apps: [{ client_id, active: false }] }, context);
      assert.equal((await apply()).updated.length, 1);
      assert.equal((await context.store.find("oauth_apps", { id }))?.switched_off_by_platform, true);
      assert.deepEqual((await apply()).updated, []);
    });

    test("H-8: each secret that an app loses by becoming public has an audit event", async () => {
      const context = testContext(await database.open());
      const { id, client_id } = await anApp(context.store);
      await aSecret(context.store, { app_id: id });
      const redirect_uris = ["https://app.example/cb"];
      await applyManifest({ apps: [{ client_id, public: true, redirect_uris }] }, context);
      assert.equal(await context.store.count("audit_events", { type: "app_secret.deleted" }), 1);
    });
  });
