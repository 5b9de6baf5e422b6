import assert from "node:assert/strict";
import { test } from "node:test";
import { applyManifest } from "../../src/admin/manifest/apply_manifest.ts";
import { exportManifest } from "../../src/admin/manifest/export.ts";
import { Problem } from "../../src/errors.ts";
import type { Store } from "../../src/storage/store.ts";
import { start } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import { testContext } from "./context.ts";

const file = () => ({
  organizations: [
    { slug: "acme", name: "Acme" },
    { slug: "rival", name: "Rival" },
  ],
  users: [
    { email: "root@example.com", name: "Root", is_platform_admin: true },
    { email: "ada@example.com", name: "Ada" },
  ],
  roles: [
    { name: "support" },
    { organization: "acme", name: "editor", permissions: ["orders:edit"] },
    { organization: "rival", name: "editor" },
    { organization: "rival", name: "theirs" },
  ],
  resources: [{ identifier: "https://orders.example", name: "Orders", scopes: { "orders:read": null } }],
  app_roles: [{ resource: "https://orders.example", name: "Chief clerk", scopes: ["orders:read"] }],
  memberships: [
    {
      // The entry names the roles before the organization in which they are looked up.
      roles: ["support", "editor"],
      app_roles: ["https://orders.example#Chief clerk"],
      user: "ada@example.com",
      organization: "acme",
      role: "owner",
    },
    { user: "ada@example.com", organization: "rival", role: "owner", roles: ["editor"] },
  ],
  groups: [{ organization: "acme", display_name: "Sales", roles: ["editor"] }],
});

describeInForm("roles in a manifest", (database) => {
  const fresh = async () => {
    const store = (await database.open()) as Store;
    await store.migrate(start);
    return store;
  };

  async function rolesOf(store: Store, slug: string) {
    const organization = await store.find("organizations", { slug });
    const [membership] = await store.list("memberships", { organization_id: organization?.id ?? "" });
    const member = await store.findMember(membership?.id ?? "");
    return [...(member?.roles ?? []), ...(member?.app_roles ?? [])].map(({ name }) => name);
  }

  test("OC-6: a manifest names roles within their organization, and an export creates the same roles on another server", async () => {
    const store = await fresh();
    await applyManifest(file(), testContext(store));
    assert.deepEqual(await rolesOf(store, "acme"), ["editor", "support", "Chief clerk"]);
    assert.deepEqual(await rolesOf(store, "rival"), ["editor"]);
    const again = await applyManifest(file(), testContext(store));
    assert.deepEqual([again.created, again.updated], [[], []]);
    const exported = await exportManifest({ store });
    const membership = exported.memberships?.find(({ organization }) => organization === "acme");
    assert.ok(membership);
    assert.deepEqual((membership.roles as string[]).toSorted(), ["editor", "support"]);
    assert.deepEqual(membership.app_roles, ["https://orders.example#Chief clerk"]);
    assert.deepEqual(exported.groups?.[0]?.roles, ["editor"]);
    const other = await fresh();
    await applyManifest(exported, testContext(other));
    assert.deepEqual(await rolesOf(other, "acme"), ["editor", "support", "Chief clerk"]);
    assert.deepEqual(await exportManifest({ store: other }), exported);
  });

  test("a role is named with its organization", async () => {
    const context = testContext(await fresh());
    const { organizations, roles } = file();
    const { created } = await applyManifest({ organizations, roles }, context);
    const labels = ["role support", "role acme editor", "role rival editor", "role rival theirs"];
    assert.deepEqual(created.slice(2), labels);
    const { removed } = await applyManifest({ organizations }, context, { prune: true });
    assert.deepEqual(removed, labels.toSorted());
  });

  test("OC-6: a role of another organization or an unknown role is refused with its path", async () => {
    const context = testContext(await fresh());
    for (const name of ["theirs", "without owner"]) {
      const { groups: _, ...rest } = file();
      const wrong = {
        ...rest,
        groups: [{ organization: "acme", display_name: "Sales", roles: ["editor", name] }],
      };
      await assert.rejects(applyManifest(wrong, context), (error) => {
        assert.ok(error instanceof Problem);
        assert.deepEqual(
          error.errors.map(({ path, code }) => [path, code]),
          [["groups[0].roles[1]", "no_record_called"]],
        );
        return true;
      });
    }
  });

  test("OC-6: the name of a custom role is refused as the built-in role of a membership, in the file or stored", async () => {
    const context = testContext(await fresh());
    const { memberships: _, ...before } = file();
    const memberships = ["support", "theirs", "editor", "Admin"].map((role, index) => ({
      ...{ user: ["root@example.com", "ada@example.com"][index % 2], role },
      organization: index < 2 ? "acme" : "rival",
    }));
    const owners = file().memberships.map((each) => ({ ...each, user: "owner@example.com" }));
    const users = [...before.users, { email: "owner@example.com", name: "Owner" }];
    const wrong = { ...before, users, memberships: [...owners, ...memberships] };
    const errors = [
      ["memberships[2].role", "custom_role"],
      ["memberships[4].role", "custom_role"],
      ["memberships[5].role", "reserved_role"],
    ];
    for (const requested of [wrong, { ...wrong, roles: [] }]) {
      await assert.rejects(applyManifest(requested, context), (error) => {
        assert.ok(error instanceof Problem);
        assert.deepEqual(
          error.errors.map(({ path, code }) => [path, code]),
          errors,
        );
        return true;
      });
      await applyManifest({ ...before, users, memberships: owners }, context);
    }
  });

  test("OC-6: a membership's role that looks like a custom role is refused, and so is a server role like an organization's", async () => {
    const store = await fresh();
    const { memberships, ...rest } = file();
    const wrong = {
      ...rest,
      roles: [...rest.roles, { name: "ed1tor" }],
      users: [...rest.users, { email: "eve@example.com", name: "Eve" }],
      memberships: [...memberships, { user: "eve@example.com", organization: "acme", role: "ѕupp0rt" }],
    };
    await assert.rejects(applyManifest(wrong, testContext(store)), (error) => {
      assert.ok(error instanceof Problem);
      assert.deepEqual(
        error.errors.map(({ path, code }) => [path, code]),
        [
          ...[1, 2, 4].map((index) => [`roles[${index}].name`, "taken"]),
          ["memberships[2].role", "custom_role"],
        ],
      );
      return true;
    });
  });

  test("OC-6: a role that the file no longer names is pruned and removed from its memberships", async () => {
    const store = await fresh();
    await applyManifest(file(), testContext(store));
    const { roles, memberships, groups, ...rest } = file();
    const less = {
      ...rest,
      roles: roles.filter(({ name }) => name !== "support"),
      memberships: memberships.map(({ roles: names, ...each }) => ({
        ...each,
        roles: names.filter((name) => name !== "support"),
      })),
      groups,
    };
    await applyManifest(less, testContext(store), { prune: true });
    assert.deepEqual(await rolesOf(store, "acme"), ["editor", "Chief clerk"]);
    assert.equal(await store.count("roles", { name: "support" }), 0);
  });
});
