/** An export of Keycloak, imported by the command line into a server whose users then sign in. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { signIn } from "../../src/people/entry/sign_in.ts";
import { type ApiServer, apiServer } from "../http/api/server.ts";
import { exportFile } from "../moving_in/reading.ts";
import { aGroup, anApp, anOrganization, aProvider, aRole, aUser } from "../support/builders.ts";
import { databases } from "../support/databases.ts";
import { someOf } from "../support/form.ts";
import { identityOn } from "../support/identity_context.ts";
import { temporaryFolder } from "../support/temp.ts";
import { servedAt } from "./served.ts";
import { commandLine } from "./terminal.ts";

const origin = { client_ip: "192.0.2.1", user_agent: "test", request_id: "r-1" };

const passwords = {
  "ada@example.com": "ada: correct horse 1",
  "bob@example.com": "bob: correct horse 2",
  "cyd@example.com": "cyd: correct horse 3",
  "dee@example.com": "dee: correct horse 4",
  "eve@example.com": "eve: correct horse 5",
};

for (const database of databases.slice(0, 1))
  describe("importing a realm of Keycloak", () => {
    let it: ApiServer;
    let place: string[];
    let runs = 0;
    const folder = temporaryFolder();
    /** Each run writes its losses to a separate file. */
    const argsOf = (file: string) => {
      runs += 1;
      const own = ["--owner", it.administrator.email, "--losses", join(folder, `losses_${runs}.csv`)];
      return ["import", file, "--from", "keycloak", ...place, ...own];
    };
    const lossesOfRun = () => readFileSync(join(folder, `losses_${runs}.csv`), "utf8");
    beforeEach(async () => {
      it = await apiServer(database);
      place = await servedAt(it, folder);
    });
    afterEach(() => it.app.close());

    test("users with each kind of hash sign in, clients keep their secrets, and a second run changes nothing", async () => {
      const cli = commandLine();
      const realm = exportFile("keycloak_26.json");
      const dry = await cli.run([...argsOf(realm), "--dry-run"]);
      assert.equal(dry.code, 0, dry.err);
      assert.match(dry.out, /^Users: 7 would be created/);
      assert.equal(await it.store.count("users", { email: "ada@example.com" }), 0);

      const first = await cli.json<{ people: object; created: string[]; secrets: object }>(argsOf(realm));
      // One user has no email address.
      assert.deepEqual(first.people, { created: 7, updated: 0, unchanged: 0, refused: 1 });
      assert.ok(first.created.includes("app shop-web") && first.created.includes("organization acme"));
      assert.deepEqual(first.secrets, {});
      const said = lossesOfRun();
      assert.doesNotMatch(said, /no (?:provider|organization) /);

      const [ada] = await it.store.list("users", { email: "ada@example.com" });
      assert.deepEqual(ada?.attributes, {
        ...{ given_name: "Ada", family_name: "Example", preferred_username: "ada" },
      });

      const again = await cli.json<{ people: object; created: string[]; kept: string[] }>(argsOf(realm));
      assert.deepEqual(again.people, { created: 0, updated: 0, unchanged: 7, refused: 1 });
      assert.deepEqual([again.created, again.kept], [[], []]);

      for (const [email, password] of Object.entries(passwords)) {
        const { type } = await signIn({ email, password, origin }, identityOn(it.server));
        assert.equal(type, email === "eve@example.com" ? "second_factor" : "signed_in", email);
        const wrong = await signIn({ email, password: `${password}!`, origin }, identityOn(it.server));
        assert.equal(wrong.type, "refused", email);
      }
      const [dee] = await it.store.list("users", { email: "dee@example.com" });
      const user_id = dee?.id ?? "";
      assert.equal(await it.store.count("oauth_accounts", { user_id, provider: "google" }), 1);
      assert.equal(await it.store.count("memberships", { user_id }), 1);
      const [fay] = await it.store.list("users", { email: "fay@example.com" });
      assert.equal(await it.store.count("passkeys", { user_id: fay?.id ?? "" }), 0);
      const [gus] = await it.store.list("users", { email: "gus@example.com" });
      assert.deepEqual([gus?.active, gus?.email_verified_at], [false, null]);

      const token = await it.app.inject({
        method: "POST",
        url: "/oauth/token",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        payload:
          "grant_type=client_credentials&client_id=shop-worker&client_secret=shop-worker-secret-of-decent-length",
      });
      assert.equal(token.statusCode, 200, token.body);

      for (const [client_id, require_pkce] of [
        ["shop-web", false],
        ["shop-spa", true],
      ] as const)
        assert.equal((await it.store.find("oauth_apps", { client_id }))?.require_pkce, require_pkce);
    });

    test("MG-8: for every system a dry run announces what the import does, and a second import changes nothing", async () => {
      const cli = commandLine();
      const shop = { organization: "shop" };
      const firebase = {
        signer_key:
          "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
        ...{ salt_separator: "Bw==", rounds: 8, mem_cost: 14 },
      };
      const exports: readonly (readonly [from: string, files: readonly string[], map: object])[] = [
        ["keycloak", ["keycloak_26.json"], shop],
        ["auth0", ["auth0_users.ndjson", "auth0_hashes.ndjson", "auth0_clients.json"], shop],
        ["clerk", ["clerk.csv"], {}],
        ["firebase", ["firebase.json"], { firebase }],
        ["cognito", ["cognito.json"], {}],
        ["supabase", ["supabase.ndjson"], {}],
        ["okta", ["okta.json"], shop],
        ["zitadel", ["zitadel.json"], {}],
        ["csv", ["people.csv"], { columns: { Mail: "email", "Full name": "name", hash: "password_hash" } }],
      ];
      type Said = Record<"people" | "created" | "refused" | "losses" | "unchanged", object>;
      for (const [from, files, map] of someOf(exports, 3)) {
        const own = await apiServer(database);
        writeFileSync(join(folder, "own_map.json"), JSON.stringify(map));
        await anOrganization(own.store, { slug: shop.organization });
        const own_place = await servedAt(own, temporaryFolder());
        const run = async (...more: readonly string[]) => {
          runs += 1;
          const losses = join(folder, `losses_${runs}.csv`);
          const said = await cli.json<Said>([
            ...["import", ...files.map(exportFile), "--from", from, "--map", join(folder, "own_map.json")],
            ...own_place,
            ...["--owner", own.administrator.email, "--losses", losses, ...more],
          ]);
          return { said, lost: lossesOfRun().split("\r\n").toSorted() };
        };
        const planned = await run("--dry-run");
        assert.equal(await own.store.count("users"), 1, from);
        const done = await run();
        for (const part of ["people", "created", "refused", "losses"] as const)
          assert.deepEqual(planned.said[part], done.said[part], `${from}: ${part}`);
        assert.deepEqual(planned.lost, done.lost, from);
        const { created, refused } = done.said.people as Record<"created" | "refused", number>;
        assert.equal(await own.store.count("users"), created + 1, from);
        const again = await run();
        const people = { created: 0, updated: 0, unchanged: created, refused };
        assert.deepEqual(again.said.people, people, from);
        assert.deepEqual(again.said.created, [], from);
        await own.app.close();
      }
    });

    test("MG-6: if the map names an organization, its members get the roles and groups of the realm", async () => {
      const cli = commandLine();
      const map = join(folder, "map.yaml");
      writeFileSync(map, "organization: shop\n");
      const withMap = () => [...argsOf(exportFile("keycloak_26.json")), "--map", map];
      await anOrganization(it.store, { slug: "shop" });
      const dry = await cli.run([...withMap(), "--dry-run"]);
      assert.equal(dry.code, 0, dry.err);
      assert.doesNotMatch(dry.out, /there is no (?:role|group|organization)/);
      assert.match(dry.out, /\nMemberships: 7 in shop, 2 in acme\.\n/);
      const first = await cli.json<{ people: object; created: string[]; memberships: object[] }>(withMap());
      assert.ok(!first.created.includes("organization shop"), first.created.join());
      const counts = { shop: 7, acme: 2 };
      assert.deepEqual(
        first.memberships,
        Object.entries(counts).map(([organization, count]) => ({ organization, count })),
      );
      const { store } = it;
      const find = async (email: string) => {
        const [user] = await store.list("users", { email });
        const [shop] = await store.list("organizations", { slug: "shop" });
        const pair = { user_id: user?.id ?? "", organization_id: shop?.id ?? "" };
        const membership = await store.find("memberships", pair);
        const names = await Promise.all(
          (membership?.role_ids ?? []).map(async (id) => (await store.find("roles", { id }))?.name),
        );
        return { membership, names, members: await store.list("group_members", { user_id: user?.id ?? "" }) };
      };
      const bob = await find("bob@example.com");
      assert.deepEqual([bob.membership?.role, bob.names], ["member", ["manager", "cashier"]]);
      const [of] = bob.members;
      assert.deepEqual((await store.find("groups", { id: of?.group_id ?? "" }))?.display_name, "/staff");
      assert.deepEqual((await find("ada@example.com")).names, []);
      const again = await cli.json<{ people: object; created: string[]; kept: string[] }>(withMap());
      assert.deepEqual(again.people, { created: 0, updated: 0, unchanged: 7, refused: 1 });
      assert.deepEqual([again.created, again.kept], [[], []]);
    });

    test("MG-6, MG-12: imported groups grant their roles and their parents', but no role that the import did not create", async () => {
      const { store } = it;
      const role = (name: string) => ({ name });
      const night = { name: "night", path: "/staff/night", realmRoles: ["manager"] };
      const realm = {
        ...{ realm: "shop", roles: { realm: [role("editor"), role("manager"), role("boss")] } },
        groups: [{ name: "staff", path: "/staff", realmRoles: ["editor", "boss"], subGroups: [night] }],
      };
      const file = join(folder, "groups.json");
      const map = join(folder, "groups_map.json");
      writeFileSync(file, JSON.stringify(realm));
      writeFileSync(map, JSON.stringify({ organization: "globex" }));
      const { id: organization_id } = await anOrganization(store, { slug: "globex" });
      await aRole(store, { organization_id, name: "boss", permissions: ["members:write"] });
      await commandLine().json([...argsOf(file), "--map", map]);
      const roles = await store.list("roles", { organization_id });
      const groups = await store.list("groups", { organization_id });
      assert.deepEqual(
        groups
          .map(({ display_name, role_ids }) => [
            display_name,
            role_ids.map((id) => roles.find((each) => each.id === id)?.name),
          ])
          .toSorted(),
        [
          ["/staff", ["editor"]],
          ["/staff/night", ["editor", "manager"]],
        ],
      );
      assert.match(lossesOfRun(), /group \/staff,role boss,this import did not create the role/);
    });

    test("MG-12: existing records with names from the file stay unchanged, and imported users get nothing from them", async () => {
      const { store } = it;
      const organization = await anOrganization(store, { slug: "ours", name: "Ours" });
      const app = await anApp(store, { client_id: "my-app" });
      const provider = await aProvider(store, { slug: "sign-on", client_id: "ours" });
      const before = [organization, app, provider];
      const file = join(folder, "clash.json");
      const user = { id: "31111111-1111-4111-8111-111111111111", username: "x", email: "x@example.com" };
      const client = { protocol: "openid-connect", standardFlowEnabled: true, enabled: true };
      const redirectUris = ["https://other.example/callback"];
      const secret = "known-to-the-author-of-the-file";
      const config = { clientId: "theirs", clientSecret: secret };
      const federatedIdentities = [{ identityProvider: "sign-on", userId: "1157", userName: "x" }];
      const realm = {
        realm: "shop",
        users: [{ ...user, federatedIdentities }],
        organizations: [
          {
            ...{ alias: "ours", name: "Theirs", enabled: true, members: [{ username: "x" }] },
            identityProviders: [{ alias: "joining" }],
          },
        ],
        clients: [
          { ...client, clientId: "my-app", secret, redirectUris },
          {
            ...{ ...client, clientId: "fresh", secret, redirectUris },
            attributes: { "backchannel.logout.url": "http://10.0.0.1/notices" },
          },
        ],
        identityProviders: ["sign-on", "joining"].map((alias) => ({
          ...{ alias, providerId: "google", enabled: true, config },
        })),
      };
      writeFileSync(file, JSON.stringify(realm));
      const cli = commandLine();
      const dry = await cli.run([...argsOf(file), "--dry-run"]);
      assert.match(dry.out, /\n {2}would be created: app fresh\n/);
      for (const name of ["organization ours", "provider sign-on", "client my-app"])
        assert.match(
          dry.out,
          new RegExp(`\n  refused: ${name}: is already the name of a record that this import did not create`),
        );
      assert.match(dry.out, /\n {2}refused: provider joining: organization ours: this import did not create/);
      const { created } = await cli.json<{ created: string[] }>(argsOf(file));
      assert.deepEqual(created, ["app fresh"]);
      const after = [
        await store.find("organizations", { id: organization.id }),
        await store.find("oauth_apps", { id: app.id }),
        await store.find("providers", { id: provider.id }),
      ];
      assert.deepEqual(after, before);
      assert.equal(await store.count("oauth_app_secrets", { app_id: app.id }), 0);
      for (const table of ["memberships", "oauth_accounts"] as const)
        assert.equal(await store.count(table, { user_id: user.id }), 0, table);
      const said = lossesOfRun();
      assert.match(said, /client fresh,backchannel_logout_uri,"must be an https URL/);
      for (const what of ["organization ours", "provider sign-on"])
        assert.match(
          said,
          new RegExp(`user x@example.com,${what},this import did not create the \\w+ with this name`),
        );

      // If the map names the provider, the accounts at it are linked.
      const map = join(folder, "map.json");
      writeFileSync(map, JSON.stringify({ providers: { "sign-on": "sign-on" } }));
      const other = { id: "31111111-1111-4111-8111-111111111112", email: "y@example.com" };
      writeFileSync(file, JSON.stringify({ ...realm, users: [{ ...user, ...other, federatedIdentities }] }));
      await cli.json([...argsOf(file), "--map", map]);
      assert.equal(await store.count("oauth_accounts", { user_id: other.id }), 1);
      assert.equal(await store.count("memberships", { user_id: other.id }), 0);
    });

    test("MG-12: the export of another system gives no password to a user whom a manifest created", async () => {
      const { store } = it;
      const { realm, users } = JSON.parse(readFileSync(exportFile("keycloak_26.json"), "utf8"));
      const ada = users.find(({ email }: { email: string }) => email === "ada@example.com");
      const { id, email } = await aUser(store, { id: ada.id, email: ada.email });
      await store.markApplied("users", id, it.clock.now());
      const file = join(folder, "ada.json");
      writeFileSync(file, JSON.stringify({ realm, users: [ada] }));
      assert.equal((await commandLine().run(argsOf(file))).code, 1);
      assert.match(
        lossesOfRun(),
        new RegExp(`user ${email},id,the user is not imported: another user has this ID`),
      );
      assert.equal((await store.find("users", { id }))?.password_hash, null);
    });

    test("MG-12: users get no link to an organization's provider, and no account is linked to an unnamed one", async () => {
      const { store } = it;
      const { id: organization_id } = await anOrganization(store, { slug: "globex" });
      await aProvider(store, { slug: "hr-saml", organization_id });
      await aProvider(store, { slug: "work" });
      await aProvider(store, { slug: "github", preset: "github", issuer: null });
      await aProvider(store, { slug: "google", preset: "google", issuer: null });
      const identity = (identityProvider: string) => ({ identityProvider, userId: "1157", userName: "x" });
      const user = (digit: number) => ({
        ...{ id: `32222222-2222-4222-8222-22222222222${digit}`, username: `u${digit}`, enabled: true },
        email: `u${digit}@example.com`,
        federatedIdentities: ["hr-saml", "work", "github", "google"].map(identity),
      });
      const saml = { providerId: "saml", enabled: true, config: {} };
      const config = { clientId: "theirs", clientSecret: "known-to-the-author-of-the-file" };
      const realm = {
        ...{ realm: "shop", users: [user(1)] },
        identityProviders: [
          { ...saml, alias: "hr-saml" },
          { alias: "google", providerId: "google", enabled: true, config },
        ],
      };
      const file = join(folder, "linked.json");
      const map = join(folder, "linked_map.json");
      const linksOf = async (user_id: string) =>
        (await store.list("oauth_accounts", { user_id })).map(({ provider }) => provider).toSorted();
      writeFileSync(file, JSON.stringify(realm));
      writeFileSync(map, JSON.stringify({ organization: "globex" }));
      await commandLine().json([...argsOf(file), "--map", map]);
      assert.deepEqual(await linksOf(user(1).id), ["github"]);
      for (const slug of ["hr-saml", "work", "google"])
        assert.match(
          lossesOfRun(),
          new RegExp(`user u1@example.com,provider ${slug},this import did not create the provider`),
        );

      const providers = { "hr-saml": "hr-saml", work: "work", github: "github", google: "google" };
      const renamed = JSON.stringify({ ...realm, users: [user(2)] }).replaceAll("1157", "1158");
      writeFileSync(file, renamed);
      writeFileSync(map, JSON.stringify({ providers }));
      await commandLine().json([...argsOf(file), "--map", map]);
      assert.deepEqual(await linksOf(user(2).id), ["github", "google", "hr-saml", "work"]);
    });

    test("MG-12: names in the file that are ids of records, or names of records it does not describe, grant nothing", async () => {
      const { store } = it;
      const acme = await anOrganization(store, { slug: "acme-here" });
      const globex = await anOrganization(store, { slug: "globex" });
      const cashier = await aRole(store, { organization_id: globex.id, name: "cashier" });
      const auditor = await aRole(store, { organization_id: null, name: "auditor" });
      const group = await aGroup(store, { organization_id: globex.id, display_name: "/admins" });
      const user = {
        ...{ id: "33333333-3333-4333-8333-333333333333", username: "x", email: "x@example.com" },
        ...{ realmRoles: [cashier.id, auditor.id, "cashier"], groups: ["/admins", "/staff"] },
      };
      const realm = {
        realm: "shop",
        users: [user],
        roles: { realm: [{ name: cashier.id }, { name: auditor.id }] },
        groups: [{ name: "staff", path: "/staff", realmRoles: [cashier.id, auditor.id] }],
        organizations: [{ alias: acme.id, name: "Theirs", enabled: true, members: [{ username: "x" }] }],
      };
      const file = join(folder, "ids.json");
      const map = join(folder, "ids_map.json");
      writeFileSync(file, JSON.stringify(realm));
      writeFileSync(map, JSON.stringify({ organization: "globex" }));
      const { created } = await commandLine().json<{ created: string[] }>([...argsOf(file), "--map", map]);
      assert.deepEqual(created, ["group globex /staff"]);
      const memberships = await store.list("memberships", { user_id: user.id });
      assert.deepEqual(
        memberships.map(({ organization_id, role_ids }) => [organization_id, role_ids]),
        [[globex.id, []]],
      );
      const groups = await store.list("groups", { organization_id: globex.id });
      assert.ok(groups.every(({ role_ids }) => role_ids.length === 0));
      assert.equal(await store.count("group_members", { group_id: group.id }), 0);
      assert.equal(await store.count("group_members", { user_id: user.id }), 1);
      assert.match(lossesOfRun(), /the organization is not imported: slug: must not be a UUID/);
      assert.match(lossesOfRun(), /the role is not imported: name: must not be a UUID/);
    });

    test("MG-12: an import creates no role in an existing organization that the map does not name", async () => {
      const { store } = it;
      const { id: organization_id } = await anOrganization(store, { slug: "ours" });
      const org = {
        ...{ id: "1", name: "ours", display_name: "Theirs" },
        members: [{ user_id: "auth0|1", roles: [{ id: "rol_1", name: "editor" }] }],
      };
      const user = { user_id: "auth0|1", email: "x@example.com", email_verified: true };
      const file = join(folder, "auth0.ndjson");
      writeFileSync(file, [user, { ...org, id: "org_1" }].map((each) => JSON.stringify(each)).join("\n"));
      const args = argsOf(file).map((word) => (word === "keycloak" ? "auth0" : word));
      const { refused } = await commandLine().json<{ refused: string[] }>(args);
      assert.equal(await store.count("roles", { organization_id }), 0);
      assert.equal(await store.count("memberships", { organization_id }), 0);
      assert.match(refused.join(), /role editor: organization ours: this import did not create/);
    });
  });
