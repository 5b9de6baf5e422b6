/** An export can be applied to an empty server after any change that an organization's administrator can make. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { applyManifest } from "../../src/admin/manifest/apply_manifest.ts";
import { exportManifest } from "../../src/admin/manifest/export.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import type { ResourceType } from "../../src/records/definition/permissions.ts";
import { databasesInForm } from "../support/databases.ts";
import { errorsOf, refused, type TestContext, testContext } from "./context.ts";

const manifest = {
  organizations: [
    { slug: "acme", name: "Acme" },
    { slug: "other", name: "Other" },
  ],
  users: [
    { email: "owner@example.com", name: "Owner" },
    { email: "ada@example.com", name: "Ada" },
  ],
  attributes: [
    {
      organization: "acme",
      record_type: "memberships",
      name: "dept",
      value_type: "string",
      writers: ["provider"],
    },
    { organization: "acme", record_type: "memberships", name: "desk", value_type: "string" },
  ],
  roles: [{ organization: "acme", name: "auditor", permissions: ["audit"] }],
  groups: [{ organization: "acme", display_name: "Staff", roles: ["auditor"] }],
  memberships: [
    { user: "owner@example.com", organization: "acme", role: "owner" },
    {
      ...{ user: "ada@example.com", organization: "acme", role: "bookkeeper", roles: ["auditor"] },
      attributes: { desk: "4a" },
    },
    { user: "owner@example.com", organization: "other", role: "owner" },
  ],
  providers: [
    {
      ...{ slug: "corp", organization: "acme", label: "Corp", preset: "oidc", client_id: "c" },
      ...{ issuer: "https://idp.example", attribute_claims: { dept: "department" } },
    },
  ],
  apps: [
    {
      ...{ client_id: "web", name: "Web", organization: "acme", owner: "owner@example.com", kind: "website" },
      redirect_uris: ["https://web.example/callback"],
    },
  ],
  resources: [
    {
      identifier: "https://orders.example",
      name: "Orders",
      organization: "acme",
      scopes: { read: "Read" },
      apps: ["web"],
    },
  ],
  app_roles: [{ resource: "https://orders.example", name: "clerk", scopes: ["read"] }],
};

for (const database of databasesInForm)
  describe(`an export after changes, on ${database.name}`, () => {
    async function ready() {
      const context = testContext(await database.open());
      await applyManifest(manifest, context);
      const id = async (type: ResourceType, name: string) => {
        const rows = (await context.store.list(resourceOf(type).table)) as object[];
        const found = rows.find((row) => Object.values(row).includes(name)) as { id: string } | undefined;
        return found?.id ?? assert.fail(name);
      };
      const change = async (type: ResourceType, name: string, changes: object) =>
        resourceOf(type).update?.(context, await id(type, name), { ...changes });
      const remove = async (type: ResourceType, name: string) =>
        resourceOf(type).remove?.(context, await id(type, name));
      return { context, store: context.store, id, change, remove };
    }

    /** Applies the export to an empty server, and returns the warnings of the export. */
    async function applied(context: TestContext): Promise<string[]> {
      const warnings: string[] = [];
      const exported = await exportManifest({ ...context, warn: (message) => warnings.push(message) });
      const to = testContext(await database.open());
      await applyManifest(JSON.parse(JSON.stringify(exported)), to);
      assert.deepEqual(await exportManifest(to), exported);
      return warnings;
    }

    type Ready = Awaited<ReturnType<typeof ready>>;
    const changes: Record<string, (it: Ready) => Promise<unknown>> = {
      "delete the attribute that a provider sets": (it) => it.remove("attributes", "dept"),
      "delete an attribute with values": (it) => it.remove("attributes", "desk"),
      "narrow an attribute with values": (it) => it.change("attributes", "desk", { pattern: "[0-9]+" }),
      "delete a role": (it) => it.remove("roles", "auditor"),
      "rename a role": (it) => it.change("roles", "auditor", { name: "controller" }),
      "delete a group": (it) => it.remove("groups", "Staff"),
      "delete a provider": (it) => it.remove("providers", "corp"),
      "rename a provider": (it) => it.change("providers", "corp", { slug: "corporate" }),
      "delete an app": (it) => it.remove("apps", "web"),
      "revoke an app": async (it) => resourceOf("apps").revoke?.(it.context, await it.id("apps", "web")),
      "deactivate an app": (it) => it.change("apps", "web", { active: false }),
      "delete an API": (it) => it.remove("resources", "https://orders.example"),
      "remove a scope of an app role": (it) =>
        it.change("resources", "https://orders.example", { scopes: {} }),
      "delete an app role": (it) => it.remove("app_roles", "clerk"),
      "rename an organization": (it) => it.change("organizations", "acme", { slug: "acme-2" }),
      "deactivate an organization": (it) => it.change("organizations", "acme", { active: false }),
      "deactivate a user": (it) => it.change("users", "ada@example.com", { active: false }),
      "move an app that no API lists": async (it) => {
        await it.change("resources", "https://orders.example", { app_ids: [] });
        await it.change("apps", "web", { organization_id: await it.id("organizations", "other") });
      },
    };
    for (const [what, make] of Object.entries(changes))
      test(`H-66: the export can be applied to an empty server: ${what}`, async () => {
        const it = await ready();
        await make(it);
        await applied(it.context);
      });

    test("OC-7: deleting an attribute removes it from the claims of providers, in the same transaction", async () => {
      const { context, store, id, change, remove } = await ready();
      await remove("attributes", "dept");
      const provider = await store.find("providers", { slug: "corp" });
      assert.equal(provider?.attribute_claims, null);
      assert.equal(
        await store.count("audit_events", { type: "provider.updated", target_id: provider?.id ?? "" }),
        1,
      );
      assert.deepEqual(await applied(context), []);
      await assert.rejects(change("providers", "corp", { attribute_claims: { dept: "d" } }));
      await assert.rejects(id("attributes", "dept"));
    });

    test("OC-6: a custom role cannot get the name of a membership's role, or one that looks like it", async () => {
      const { context, id, change } = await ready();
      const create = resourceOf("roles").create;
      const organization_id = await id("organizations", "acme");
      for (const name of ["bookkeeper", "Bookkeeper", "b00kkeeper"]) {
        for (const owner of [organization_id, null])
          await refused(
            Promise.resolve(create?.(context, { name, organization_id: owner })),
            "conflict /name",
          );
        await refused(change("roles", "auditor", { name }), "conflict /name");
      }
      const own = { organizations: [{ slug: "acme", name: "Acme", id: organization_id }] };
      const file = { ...own, roles: [{ organization: "acme", name: "bookkeeper" }] };
      assert.deepEqual(await errorsOf(applyManifest(file, context)), ["roles[0].name taken"]);
      await create?.(context, { name: "bookkeeper", organization_id: await id("organizations", "other") });
      assert.deepEqual(await applied(context), []);
    });

    test("PR-6: an app that an API of its organization lists cannot move to another organization", async () => {
      const { context, id, change } = await ready();
      const organization_id = await id("organizations", "other");
      const moved = change("apps", "web", { organization_id });
      await refused(moved, "invalid_record /organization_id");
      const file = {
        apps: [
          {
            client_id: "web",
            id: await id("apps", "web"),
            organization: "other",
            owner: "owner@example.com",
          },
        ],
      };
      assert.deepEqual(await errorsOf(applyManifest(file, context)), ["apps[0].organization listed_by_apis"]);
    });

    test("an export warns of each provider whose client secret it leaves out", async () => {
      const { context, change } = await ready();
      assert.deepEqual(await applied(context), []);
      await change("providers", "corp", { client_secret: "a secret" });
      assert.deepEqual(await applied(context), [
        "provider corp/client_secret: left out; set it where you apply the manifest, so that users can sign in through the provider",
      ]);
    });

    test("OC-6: an app role of an earlier version whose name another one has can be changed, and is not exported", async () => {
      const { context, store, id, change } = await ready();
      const [clerk] = await store.list("app_roles");
      await store.insert("app_roles", {
        ...(clerk ?? assert.fail()),
        ...{ id: store.newId(context.now()), name: "Clerk", name_key: null },
      });
      await change("app_roles", "Clerk", { description: "Signs" });
      await refused(change("app_roles", "Clerk", { name: "clerK" }), "conflict /name");
      assert.deepEqual(await applied(context), [
        `app role ${await id("app_roles", "Clerk")}: left out, because a new record could not have its /name`,
      ]);
      const file = { app_roles: [{ resource: "https://orders.example", name: "CLERK", scopes: ["read"] }] };
      await refused(applyManifest(file, context), "conflict app_roles[0].name");
      await refused(applyManifest(file, context, { dryRun: true }), "conflict app_roles[0].name");
    });

    test("H-66: an export leaves out what a new record could not have, and warns of it", async () => {
      const { context, store, id } = await ready();
      const at = context.now();
      // Changes that earlier versions allowed.
      const owner = await id("organizations", "acme");
      const [row] = await store.list("roles");
      await store.insert("roles", {
        ...(row ?? assert.fail()),
        ...{ id: store.newId(at), name: "bookkeeper", name_key: `${owner} bookkeeper` },
      });
      await store.remove("attribute_definitions", { name: "dept" });
      await store.update("attribute_definitions", { name: "desk" }, { pattern: "[0-9]+" });
      const app_id = await id("apps", "web");
      await store.update(
        "oauth_apps",
        { id: app_id },
        { organization_id: await id("organizations", "other") },
      );
      const [member, provider, api] = [
        (await store.find("memberships", { role: "bookkeeper" }))?.id,
        await id("providers", "corp"),
        await id("resources", "https://orders.example"),
      ];
      assert.deepEqual(
        (await applied(context)).sort(),
        [
          `membership ${member}: left out, because a new record could not have its /role`,
          `provider ${provider}/attribute_claims/dept: left out, because a new record could not have it`,
          `API ${api}/app_ids/0: left out, because a new record could not have it`,
        ].sort(),
      );
      await store.remove("roles", { name: "bookkeeper" });
      const warnings = await applied(context);
      assert.ok(
        warnings.includes(
          `membership ${member}/attributes/desk: left out, because a new record could not have it`,
        ),
      );
    });
  });
