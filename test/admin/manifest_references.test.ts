/** References and names in a manifest give nobody rights over records that users created (H-66). */
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
