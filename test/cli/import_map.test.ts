/** What the import's map names: the organization of the users, and targets of columns. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { allSources } from "../../src/moving_in/all_sources.ts";
import { type ApiServer, apiServer } from "../http/api/server.ts";
import { anOrganization, aUser } from "../support/builders.ts";
import { databases } from "../support/databases.ts";
import { temporaryFolder } from "../support/temp.ts";
import { servedAt } from "./served.ts";
import { commandLine } from "./terminal.ts";

/** Two users of each system, of whom no group or organization is known. */
const exports: Readonly<Record<string, (one: string, two: string) => object | string>> = {
  keycloak: (...all) => ({ realm: "r", users: all.map((email) => ({ id: email, email, enabled: true })) }),
  auth0: (...all) => all.map((email) => ({ user_id: email, email })),
  clerk: (...all) => ["id,primary_email_address", ...all.map((email) => `${email},${email}`)].join("\n"),
  firebase: (...all) => ({ users: all.map((email) => ({ localId: email, email })) }),
  cognito: (...all) => ({ Users: all.map((email) => ({ Username: email, email })) }),
  supabase: (...all) => all.map((email) => ({ id: email, email, encrypted_password: "" })),
  okta: (...all) => all.map((email) => ({ id: email, profile: { email } })),
  zitadel: (...all) => ({
    orgs: [
      {
        ...{ orgId: "1", org: { name: "Acme" } },
        humanUsers: all.map((email) => ({ userId: email, user: { email: { email } } })),
      },
    ],
  }),
  // No manifest created the organization, so these users do not keep the role from the file (MG-12).
  postern: (...all) =>
    all.map((email) => ({
      external_id: email,
      email,
      memberships: [{ organization: "shop", role: "owner" }],
    })),
  csv: (...all) => ["id,email", ...all.map((email) => `${email},${email}`)].join("\n"),
};

for (const database of databases.slice(0, 1))
  describe("the map of an import", () => {
    let it: ApiServer;
    let place: string[];
    const folder = temporaryFolder();
    const losses = join(folder, "losses.csv");
    const run = (from: string, file: object | string, map: object, ...more: readonly string[]) => {
      writeFileSync(join(folder, "export"), typeof file === "string" ? file : JSON.stringify(file));
      writeFileSync(join(folder, "map.json"), JSON.stringify(map));
      const files = [join(folder, "export"), "--map", join(folder, "map.json")];
      rmSync(losses, { force: true });
      return commandLine().run([
        ...["import", ...files, "--from", from, ...place, ...more],
        ...(more.includes("--dry-run") ? [] : ["--losses", losses]),
      ]);
    };
    beforeEach(async () => {
      it = await apiServer(database);
      place = await servedAt(it, folder);
    });
    afterEach(() => it.app.close());

    test("MG-12: the map names an organization by ID, also after another one took its slug", async () => {
      const { store } = it;
      const { id: organization_id } = await anOrganization(store, { slug: "shop-inc" });
      await anOrganization(store, { slug: "shop" });
      const file = {
        realm: "r",
        users: [
          { id: "1", email: "one@example.com", enabled: true, groups: ["/staff"], realmRoles: ["clerk"] },
        ],
        roles: { realm: [{ name: "clerk" }] },
        groups: [{ name: "staff", path: "/staff" }],
      };
      for (const id of [organization_id, organization_id.toUpperCase()]) {
        const { code, err } = await run("keycloak", file, { organization: id });
        assert.equal(code, 0, err);
      }
      const memberships = await store.list("memberships", {});
      const [role] = await store.list("roles");
      assert.deepEqual(
        memberships.map((each) => [each.organization_id, each.role_ids]),
        [[organization_id, [role?.id]]],
      );
      const groups = await store.list("groups");
      assert.deepEqual(
        groups.map((each) => each.organization_id),
        [organization_id],
      );
      assert.equal(await store.count("group_members", { group_id: groups[0]?.id ?? "" }), 1);
      const unknown = await run("keycloak", file, { organization: store.newId(new Date()) });
      assert.equal(unknown.code, 2);
      assert.match(unknown.err, /there is no organization with the ID/);
    });

    test("MG-6, MG-12: users of every system become members, and nothing more, of the map's organization", async () => {
      assert.deepEqual(Object.keys(exports).toSorted(), allSources.map(({ name }) => name).toSorted());
      const { store } = it;
      const { id: organization_id } = await anOrganization(store, { slug: "shop" });
      for (const [from, file] of Object.entries(exports)) {
        const emails = [`one@${from}.example`, `two@${from}.example`] as const;
        const { code, out, err } = await run(from, file(...emails), { organization: "shop" });
        assert.equal(code, 0, `${from}: ${err}`);
        assert.match(out, /^Users: 2 created/, from);
        assert.doesNotMatch(out, /\n {2}refused/, from);
        for (const email of emails) {
          const user = await store.find("users", { email_key: email });
          const found = await store.list("memberships", { user_id: user?.id ?? "", organization_id });
          assert.deepEqual(
            found.map(({ role, role_ids }) => [role, role_ids]),
            [["member", []]],
            email,
          );
        }
      }
      assert.equal(await store.count("memberships", { organization_id }), 2 * allSources.length);
      const acme = await store.find("organizations", { slug: "acme" });
      assert.equal(await store.count("memberships", { organization_id: acme?.id ?? "" }), 2, "of ZITADEL");
    });

    test("an organization that neither the server nor the file has is refused before anything is written", async () => {
      for (const [from, file] of Object.entries(exports))
        for (const more of [["--dry-run"], []]) {
          const { code, err } = await run(
            from,
            file("a@example.com", "b@example.com"),
            { organization: "shpo" },
            ...more,
          );
          assert.equal(code, 2, from);
          assert.match(
            err,
            /there is no organization with the slug shpo, here or in the files: create it first/,
          );
        }
      assert.ok(!existsSync(losses));
      assert.deepEqual([await it.store.count("users"), await it.store.count("organizations")], [1, 0]);
    });

    test("MG-12: the map may name an organization of the file, whether it exists already or not", async () => {
      const { store } = it;
      const user = (email: string) => ({ user_id: email, email });
      const acme = { id: "org_1", name: "acme", display_name: "Theirs" };
      const role = { id: "rol_1", name: "Editor", users: [{ user_id: "a@example.com" }] };
      const first = await run("auth0", [acme, role, user("a@example.com")], { organization: "acme" });
      assert.match(first.out, /created: organization acme\n/);
      const again = await run("auth0", [acme, role, user("a@example.com")], { organization: "acme" });
      assert.match(again.out, /^Users: 0 created, 0 updated, 1 unchanged, 0 refused\./);
      assert.match(first.out, /\nMemberships: 1 in acme\./);
      assert.doesNotMatch(again.out, /Memberships:/);
      const { id, name } = await anOrganization(store, { slug: "ours" });
      const ours = { ...acme, id: "org_2", name: "ours" };
      const { code, out } = await run("auth0", [ours, role, user("b@example.com")], { organization: "ours" });
      assert.equal(code, 0);
      assert.match(
        out,
        /Organizations, roles, groups, providers, clients: 1 created, 0 unchanged, 0 refused\./,
      );
      assert.equal((await store.find("organizations", { id }))?.name, name);
      assert.equal(await store.count("memberships", { organization_id: id }), 1);
      assert.equal(await store.count("roles", { organization_id: id }), 1);
    });

    test("CSV columns whose name or target is a user attribute are imported, and unknown targets are refused", async () => {
      const { store } = it;
      for (const name of ["department", "size"])
        assert.equal(
          (
            await commandLine().run([
              "attribute",
              "create",
              "--record-type",
              "users",
              "--name",
              name,
              ...place,
            ])
          ).code,
          0,
        );
      const file = "id,email,department,Shoe,other\n1,a@example.com,Sales,39,x";
      for (const target of ["nonsense", "attributes.size"]) {
        const { code, err } = await run("csv", file, { columns: { Shoe: target } });
        assert.equal(code, 2, target);
        assert.match(
          err,
          new RegExp(`columns: ${target} is not a user attribute here: .*external_id, .*department`),
        );
      }
      assert.match(
        (await run("keycloak", file, { columns: { a: "b" } })).err,
        /leave out columns: .* keycloak/,
      );
      assert.equal(await store.count("users"), 1);
      const { code } = await run("csv", file, { columns: { Shoe: "size" } });
      assert.equal(code, 0);
      const user = await store.find("users", { email_key: "a@example.com" });
      assert.deepEqual(user?.attributes, { department: "Sales", size: "39" });
      assert.match(
        readFileSync(losses, "utf8"),
        /\r\nuser a@example.com,attributes\/other,"?is not an attribute/,
      );
    });

    test("users who were refused do not count among those whose sub changes", async () => {
      await aUser(it.store, { email: "a@example.com" });
      const { code, out } = await run("csv", "id,email\n1,a@example.com\n2,b@example.com", {}, "--dry-run");
      assert.equal(code, 1);
      assert.match(out, /the user is not imported: another user has this email address \(email\)/);
      assert.match(out, /by email address: 1\n/);
    });
  });
