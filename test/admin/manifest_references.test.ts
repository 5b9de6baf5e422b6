/** A reference in a manifest gives no permissions over records that users created (H-66). */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { applyManifest } from "../../src/admin/manifest/apply_manifest.ts";
import { exportManifest } from "../../src/admin/manifest/export.ts";
import {
  aGroup,
  anApp,
  anAppRole,
  anOrganization,
  aProvider,
  aResource,
  aRole,
  aUser,
} from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { errorsOf, refused, testContext } from "./context.ts";

for (const database of databasesInForm)
  describe(`references in a manifest, on ${database.name}`, () => {
    const ready = async () => {
      const warnings: string[] = [];
      const context = { ...testContext(await database.open()), warn: (text: string) => warnings.push(text) };
      const { store } = context;
      const acme = await anOrganization(store, { slug: "acme" });
      const evil = await anOrganization(store, { slug: "evil" });
      const apply = (file: object) => applyManifest(file, context);
      return { context, store, acme, evil, apply, warnings };
    };

    test("H-66: a record that the file only referred to is taken over only with its id", async () => {
      const { store, evil, apply } = await ready();
      const { email: user } = await aUser(store);
      const app = await anApp(store, { client_id: "gateway", organization_id: evil.id });
      const provider = await aProvider(store, { slug: "corp", organization_id: evil.id });
      await apply({
        resources: [{ identifier: "https://pay.example", name: "Pay", apps: ["gateway"] }],
        roles: [{ organization: "evil", name: "clerk" }],
        linked_accounts: [{ provider: "corp", provider_user_id: "1", user }],
      });
      const entries = [
        ["apps", app, { client_id: "gateway", first_party: true }],
        ["organizations", evil, { slug: "evil", plan: "pro" }],
        ["providers", provider, { slug: "corp", label: "Corp" }],
      ] as const;
      for (const [section, { id }, entry] of entries) {
        const without = () => apply({ [section]: [entry] });
        for (let run = 0; run < 2; run++)
          assert.deepEqual(await errorsOf(without()), [`${section}[0] not_of_manifest`]);
        // An entry with the id decides, and later references do not undo this.
        await apply({ [section]: [{ ...entry, id }] });
        await apply({ roles: [{ organization: "evil", name: "clerk" }] });
        assert.equal((await without()).unchanged.length, 1);
      }
      assert.equal((await store.find("oauth_apps", { id: app.id }))?.first_party, true);
    });

    test("H-66: a record that a manifest created is known although a reference came first", async () => {
      const { store, apply } = await ready();
      const { email: owner } = await aUser(store);
      const entry = { client_id: "web", name: "Web", owner, organization: "acme", kind: "machine" };
      await apply({ apps: [entry] });
      // An earlier version remembered no names.
      await store.remove("manifest_names", {});
      await apply({ resources: [{ identifier: "https://pay.example", name: "Pay", apps: ["web"] }] });
      assert.equal((await apply({ apps: [{ ...entry, name: "Shop" }] })).updated.length, 1);
    });

    test("H-66: a name in a reference keeps its meaning, although no entry had it", async () => {
      const { store, evil, apply } = await ready();
      const { id: was } = await anApp(store, { client_id: "gateway", organization_id: evil.id });
      const resources = [{ identifier: "https://pay.example", name: "Pay", apps: ["gateway"] }];
      await apply({ resources });
      await store.remove("oauth_apps", { id: was });
      const { id } = await anApp(store, { client_id: "gateway", organization_id: evil.id });
      assert.deepEqual(await errorsOf(apply({ resources })), ["resources[0].apps[0] name_moved"]);
      await apply({ resources, apps: [{ id, client_id: "gateway" }] });
      await apply({ resources });
    });

    test("H-66: a warning names an app of an organization that an API of the server lists for the first time", async () => {
      const { store, acme, evil, apply, warnings } = await ready();
      const { email: owner } = await aUser(store);
      const consents = [{ user: owner, app: "gateway", scopes: ["openid"] }];
      const api = (apps: string[], more: object = {}) => ({
        resources: [{ identifier: "https://pay.example", name: "Pay", apps, ...more }],
      });
      await anApp(store, { client_id: "gateway", organization_id: evil.id });
      await anApp(store, { client_id: "console" });
      await apply({ consents });
      assert.deepEqual(warnings.splice(0), [
        "consents[0].app: no entry has meant the app gateway of organization evil, which now has the user's consent",
      ]);
      const made = { client_id: "web", name: "Web", owner, organization: "acme", kind: "machine" };
      await apply({ ...api(["console", "web"]), apps: [made] });
      await apply(api(["web"]));
      assert.deepEqual(warnings, []);
      await apply(api(["web", "gateway"]));
      await apply(api(["web", "gateway"]));
      assert.deepEqual(warnings, [
        "resources[0].apps: no entry has meant the app gateway of organization evil, which can now introspect tokens",
      ]);
      const own = await anApp(store, { client_id: "own", organization_id: acme.id });
      const ofAcme = {
        identifier: "https://acme.example",
        name: "Acme",
        organization: "acme",
        apps: ["own"],
      };
      await apply({ resources: [ofAcme] });
      await apply({ apps: [{ id: own.id, client_id: "own" }] });
      await apply(api(["web", "gateway", "own"]));
      assert.equal(warnings.length, 1);
    });

    test("H-66: a warning names the provider of an organization that a linked account names for the first time", async () => {
      const { store, evil, apply, warnings } = await ready();
      const { email: user } = await aUser(store);
      await aProvider(store, { slug: "theirs", organization_id: evil.id });
      await aProvider(store, { slug: "shared" });
      const linked_accounts = ["theirs", "shared"].map((provider) => ({
        user,
        provider,
        provider_user_id: "1",
      }));
      await apply({ linked_accounts });
      await apply({ linked_accounts });
      assert.deepEqual(warnings, [
        "linked_accounts[0].provider: no entry has meant the provider theirs of organization evil, which can now sign the user in",
      ]);
    });

    test("an entry with another id than that of its record is refused with the record's id", async () => {
      const { context, apply } = await ready();
      const pay = { identifier: "https://pay.example", name: "Pay" };
      await apply({ resources: [pay] });
      const stored = await context.store.find("resources", { name: "Pay" });
      const id = context.store.newId(context.now());
      await assert.rejects(apply({ resources: [{ ...pay, id }] }), {
        errors: [{ path: "resources[0].id", code: "other_id", params: { record: "API", id: stored?.id } }],
      });
    });

    test("H-66: an id always means the same organization, whatever the slugs are now", async () => {
      const { store, acme, evil, apply } = await ready();
      const groups = [acme.slug, acme.id].map((organization, n) => ({ organization, display_name: `${n}` }));
      await apply({ groups });
      await store.update("organizations", { id: acme.id }, { slug: "acme-inc" });
      await store.update("organizations", { id: evil.id }, { slug: "acme" });
      assert.deepEqual(await errorsOf(apply({ groups })), ["groups[0].organization name_moved"]);
      assert.equal((await apply({ groups: groups.slice(1) })).unchanged.length, 1);
    });

    test("H-66: users cannot make a file ambiguous by giving an app the name of one that a manifest created", async () => {
      const { store, acme, apply } = await ready();
      const { email: owner, id: owner_id } = await aUser(store);
      const entry = { name: "Shop", owner, organization: "acme", redirect_uris: ["https://shop.example/cb"] };
      await apply({ apps: [entry] });
      const [made] = await store.list("oauth_apps");
      await anApp(store, { name: "Shop", owner_id, organization_id: acme.id });
      assert.equal((await apply({ apps: [entry] })).unchanged.length, 1);
      await apply({ apps: [{ ...entry, description: "Sells" }] });
      assert.equal((await store.find("oauth_apps", { id: made?.id ?? "" }))?.description, "Sells");
      const { id } = await anApp(store, { name: "Till", owner_id, organization_id: acme.id });
      await anApp(store, { name: "Till", owner_id, organization_id: acme.id });
      const twice = { ...entry, name: "Till" };
      assert.ok((await errorsOf(apply({ apps: [twice] }))).includes("apps[0].client_id ambiguous"));
      await apply({ apps: [{ ...twice, id }] });
    });

    test("OC-6: a group or membership gets only roles that its organization may have, by name or id", async () => {
      const { context, store, acme, evil, apply } = await ready();
      const [role, appRole, shared, own] = Array.from({ length: 4 }, () => randomUUID());
      const identifier = `urn:postern:organization:${evil.id}:api`;
      const group = { organization: "acme", display_name: "ops" };
      const file = {
        organizations: [{ id: evil.id, slug: "evil" }],
        roles: [
          { id: role, organization: "evil", name: "theirs" },
          { id: shared, name: "auditor" },
          { id: own, organization: "acme", name: "clerk" },
        ],
        resources: [
          { identifier, name: "Theirs", organization: "evil" },
          { identifier: "https://pay.example", name: "Pay" },
        ],
        app_roles: [
          { id: appRole, resource: identifier, name: "reader" },
          { resource: "https://pay.example", name: "reader" },
        ],
      };
      const stranger = [role, "theirs", "organizations evil", evil.id, appRole];
      for (const text of stranger)
        assert.deepEqual(await errorsOf(apply({ ...file, groups: [{ ...group, roles: [text] }] })), [
          "groups[0].roles[0] no_record_called",
        ]);
      for (const text of [appRole, `${identifier}#reader`, shared])
        assert.deepEqual(await errorsOf(apply({ ...file, groups: [{ ...group, app_roles: [text] }] })), [
          "groups[0].app_roles[0] no_record_called",
        ]);
      const app_roles = ["https://pay.example#reader"];
      await apply({
        ...file,
        groups: [
          { ...group, roles: [String(shared).toUpperCase(), "Clerk"], app_roles },
          { organization: "evil", display_name: "theirs", roles: [role], app_roles: [appRole] },
        ],
      });
      const groups = await store.list("groups", { organization_id: acme.id });
      assert.deepEqual(groups[0]?.role_ids, [shared, own]);
      assert.equal(groups[0]?.app_role_ids.length, 1);
      const exported = await exportManifest(context);
      await applyManifest(JSON.parse(JSON.stringify(exported)), testContext(await database.open()));
    });

    test("OC-6: an export leaves out roles of another organization, and warns of them", async () => {
      const { context, store, acme, evil, warnings } = await ready();
      const role = await aRole(store, { organization_id: evil.id, name: "theirs" });
      const shared = await aRole(store, { name: "auditor" });
      const api = await aResource(store, { organization_id: evil.id });
      const appRole = await anAppRole(store, { resource_id: api.id });
      const { id } = await aGroup(store, {
        organization_id: acme.id,
        role_ids: [role.id, shared.id],
        app_role_ids: [appRole.id],
      });
      const exported = await exportManifest(context);
      assert.deepEqual([exported.groups?.[0]?.roles, exported.groups?.[0]?.app_roles], [["auditor"], []]);
      assert.deepEqual(
        warnings,
        ["role_ids/0", "app_role_ids/0"].map(
          (path) => `group ${id}/${path}: left out, because a new record could not have it`,
        ),
      );
      await applyManifest(JSON.parse(JSON.stringify(exported)), testContext(await database.open()));
      await refused(
        applyManifest({ groups: [{ id, roles: ["theirs"] }] }, context),
        "invalid_manifest groups[0].roles[0]",
      );
    });
  });
