/**
 * Writes that need more than a permission. Each case is an actor, an action and its outcome, tested on the
 * guards alone.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { type Actor, permissionsOfActor } from "../../src/admin/access/actor.ts";
import { ownerOfRow } from "../../src/admin/access/owners.ts";
import {
  confirmPassword,
  guardChange,
  guardNew,
  guardRemoval,
  isPlatformOnly,
  platformFields,
} from "../../src/admin/guards/guards.ts";
import { resources } from "../../src/admin/resources/resources.ts";
import { formFields } from "../../src/console/forms/form_spec.http.ts";
import { Problem } from "../../src/errors.ts";
import { fieldsOf, type Row, type TableName } from "../../src/records/definition/definition.ts";
import { recordLock } from "../../src/records/names/lock_names.ts";
import {
  aConsent,
  aKeyPair,
  anApiKey,
  anApp,
  anEndpoint,
  anOrganization,
  aProvider,
  aResource,
  aSecret,
  aServiceAccount,
  aSession,
  aToken,
  aUser,
  signingKeyOf,
  start,
} from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import {
  aLinkedAccount,
  aMembership,
  managementFixture,
  type Requester,
} from "../support/management_fixture.ts";
import { refused, testContext } from "./context.ts";

type Who = Requester | "root" | "system" | Actor;
/** `add`, `change` or `remove`, followed by the table. */
type Act = `${"add" | "change" | "remove"} ${TableName}`;
/** The outcome is `done`, or a problem with the paths of its errors. */
type Case =
  | readonly [Who, Act, row: { readonly id: string }, outcome: string]
  | readonly [Who, Act, row: { readonly id: string }, change: object, outcome: string];

for (const database of databasesInForm)
  describe(`permission checks of management on ${database.name}`, async () => {
    const store = await database.open();
    const fixture = await managementFixture(store);
    const { acme, other, people, memberships, actors } = fixture;
    const manage = ["postern:manage"];
    const narrowRoot = (...scopes: string[]): Actor => ({ kind: "user", user: people.root, scopes });

    function actorOf(who: Who): Actor {
      if (typeof who !== "string") return who;
      if (who === "system") return { kind: "system", label: "test" };
      return who === "root" ? actors.platform_administrator : actors[who];
    }

    /** Calls the guard inside a transaction and then writes, as management does. */
    async function write(
      who: Who,
      act: Act,
      overrides: { readonly id: string },
      change: object,
    ): Promise<void> {
      const [verb, name] = act.split(" ");
      const [table, row] = [name as TableName, overrides as Row<TableName>];
      const held = await permissionsOfActor({ store, actor: actorOf(who) });
      const which = { id: row.id } as never;
      await store.transaction(async (tx) => {
        if (verb === "add") return guardNew(tx, held, table, row as never);
        await tx.lock(recordLock(table, String(overrides.id)));
        const current = (await tx.find(table, which)) as Row<TableName>;
        if (verb === "remove") {
          await guardRemoval(tx, held, table, current);
          return tx.remove(table, which);
        }
        await guardChange(tx, held, table, current, change);
        return tx.update(table, which, change);
      });
    }

    /** Checks the cases one after the other. */
    async function hold(...cases: readonly Case[]): Promise<void> {
      for (const [who, act, row, ...rest] of cases) {
        const [change, outcome] = rest.length === 1 ? [{}, rest[0]] : rest;
        const work = write(who, act, row, change);
        await (outcome === "done" ? work : refused(work, outcome, `${JSON.stringify(who)} ${act}`));
      }
    }

    const newMembership = (overrides: Partial<Row<"memberships">>): Row<"memberships"> => ({
      ...memberships.member,
      id: randomUUID(),
      user_id: randomUUID(),
      ...overrides,
    });
    const memberOf = async (organization: { readonly id: string }, overrides: Partial<Row<"memberships">>) =>
      aMembership(store, {
        user_id: (await aUser(store)).id,
        organization_id: organization.id,
        ...overrides,
      });

    test("no caller can remove the last owner of an organization", async () => {
      for (const who of ["owner", "root", "system"] as const)
        await hold(
          [who, "remove memberships", memberships.owner, "last_owner"],
          [who, "change memberships", memberships.owner, { role: "member" }, "last_owner"],
        );
      await hold(["root", "remove users", people.owner, "last_owner"]);
      const heir = await aUser(store, { active: false });
      const second = await memberOf(acme, { user_id: heir.id, role: "owner" });
      await hold(["root", "remove memberships", memberships.owner, "last_owner"]);
      await store.update("users", { id: heir.id }, { active: true });
      await hold(["owner", "change memberships", second, { role: "member" }, "done"]);
    });

    test("if the last two owners of an organization leave concurrently, one of them stays", async () => {
      const organizations = await Promise.all(Array.from({ length: 10 }, () => anOrganization(store)));
      const leaving: (() => Promise<void>)[] = [];
      for (const { id } of organizations)
        for (const name of ["one", "other"]) {
          const user = await aUser(store, { name });
          const row = await memberOf({ id }, { user_id: user.id, role: "owner" });
          leaving.push(() => write({ kind: "user", user }, "remove memberships", row, {}));
        }
      const outcomes = await Promise.allSettled(leaving.map((leave) => leave()));
      assert.equal(outcomes.filter(({ status }) => status === "rejected").length, organizations.length);
      for (const { id } of organizations)
        assert.equal(await store.count("memberships", { organization_id: id }), 1);
    });

    test("no caller can remove the last active platform administrator", async () => {
      await hold(
        ["system", "change users", people.root, { active: false }, "last_administrator"],
        ["system", "change users", people.root, { is_platform_admin: false }, "last_administrator"],
        ["system", "remove users", people.root, "last_administrator"],
      );
      const pair = [people.root, await aUser(store, { is_platform_admin: true })];
      const stepping = pair.map((user) =>
        write({ kind: "user", user }, "change users", user, { is_platform_admin: false }),
      );
      const outcomes = await Promise.allSettled(stepping);
      assert.equal(outcomes.filter(({ status }) => status === "rejected").length, 1);
      assert.equal(await store.count("users", { is_platform_admin: true }), 1);
      await store.update("users", { id: people.root.id }, { is_platform_admin: true });
    });

    test("only an owner or a platform administrator changes an owner's membership", async () => {
      const second = await memberOf(acme, { role: "owner" });
      for (const who of ["admin", "organization_key", "service_account", "client"] as const)
        await hold(
          [who, "remove memberships", second, "forbidden"],
          [who, "change memberships", second, { permissions: [] }, "forbidden"],
        );
      await hold(
        ["owner", "change memberships", second, { role: "admin" }, "done"],
        ["root", "change memberships", second, { role: "owner" }, "done"],
        ["owner", "remove memberships", second, "done"],
      );
    });

    test("a caller cannot grant a role above their own, nor a permission that they lack", async () => {
      const add = "add memberships";
      const there = { organization_id: acme.id };
      const beyond = ["apps:read", "signing_keys:write"];
      const hr = await aUser(store);
      await memberOf(acme, { user_id: hr.id, permissions: ["memberships:write"] });
      const recruiter: Actor = { kind: "user", user: hr };
      const narrow: Actor = { kind: "user", user: people.owner, scopes: ["postern:memberships:write"] };
      const named = { ...there, role: "accountant", permissions: ["billing"] };
      const held = await memberOf(acme, { permissions: ["sessions:read"] });
      const more = { permissions: ["sessions:read", "sessions:write"] };
      await hold(
        ["admin", add, newMembership({ ...there, role: "admin" }), "done"],
        ["admin", add, newMembership(named), "done"],
        ["admin", add, newMembership({ ...there, role: "owner" }), "forbidden /role"],
        ["admin", add, newMembership({ ...there, permissions: beyond }), "forbidden /permissions/1"],
        ["admin", "change memberships", memberships.admin, { role: "owner" }, "forbidden /role"],
        ["outsider", add, newMembership(there), "forbidden"],
        [recruiter, add, newMembership(there), "done"],
        [recruiter, add, newMembership({ ...there, role: "developer" }), "forbidden /role"],
        [recruiter, "remove memberships", memberships.developer, "forbidden"],
        [narrow, add, newMembership({ ...there, role: "owner" }), "forbidden /role"],
        // A permission that the membership already had may stay.
        ["admin", "change memberships", held, { role: "developer" }, "done"],
        ["admin", "change memberships", held, more, "forbidden /permissions/1"],
      );
    });

    test("members may leave an organization, and cannot change their own membership otherwise", async () => {
      const user = await aUser(store);
      const row = await memberOf(acme, { user_id: user.id });
      await hold(
        [{ kind: "user", user }, "change memberships", row, { role: "admin" }, "forbidden"],
        [{ kind: "user", user }, "remove memberships", row, "done"],
      );
    });

    test("users change their own name, picture and password", async () => {
      const hash =
        "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
      const [own, allowed] = [people.guest, { name: "New", avatar_url: null, password_hash: hash }];
      const email = { email: "new@example.com", email_key: "x", name: "N" };
      const state = { is_platform_admin: true, active: false };
      await hold(
        ["subject", "change users", own, allowed, "done"],
        ["subject", "change users", own, email, "forbidden /email"],
        ["subject", "change users", own, state, "forbidden /is_platform_admin /active"],
        ["subject", "remove users", own, "forbidden"],
        ["owner", "change users", own, { name: "Mine" }, "not_found"],
        ["root", "change users", people.root, { active: false }, "forbidden /active"],
        ["root", "remove users", people.root, "forbidden"],
      );
    });

    test("an administrator's limited credential can neither create an administrator nor take one over", async () => {
      const narrow = narrowRoot("postern:users:read", "postern:users:write");
      const victim = await aUser(store, { is_platform_admin: true });
      const plain = await aUser(store);
      const administrator = { ...plain, id: randomUUID(), is_platform_admin: true };
      await hold(
        [narrow, "change users", plain, { name: "Changed" }, "done"],
        // The email address gives access to the account, with all the user's permissions (security finding
        // 2).
        [narrow, "change users", plain, { email: "changed@example.com" }, "forbidden /email"],
        [narrow, "change users", plain, { is_platform_admin: true }, "forbidden /is_platform_admin"],
        [narrow, "add users", administrator, "forbidden /is_platform_admin"],
        [narrow, "change users", victim, { password_hash: "x" }, "forbidden /password"],
        ["root", "change users", victim, { password_hash: "x", is_platform_admin: false }, "done"],
      );
    });

    test("a user who sets a new password must enter the old one", async () => {
      const context = testContext(store, { kind: "user", user: people.guest });
      const current = { ...people.guest, password_hash: await context.passwords.hash("correct horse") };
      for (const overrides of [undefined, "", "wrong horse", 7])
        await refused(confirmPassword(context, current, overrides), "invalid_record /current_password");
      await confirmPassword(context, current, "correct horse");
      await confirmPassword(context, { ...current, password_hash: null }, undefined);
      await confirmPassword(testContext(store), current, undefined);
    });

    test("only a platform administrator sets an organization's plan and state; its owner may delete it too", async () => {
      const doomed = await anOrganization(store);
      await memberOf(doomed, { user_id: people.owner.id, role: "owner" });
      await hold(
        ["admin", "change organizations", acme, { name: "Acme 2", settings: { a: 1 } }, "done"],
        ["owner", "change organizations", acme, { plan: "pro", active: false }, "forbidden /plan /active"],
        ["admin", "remove organizations", acme, "forbidden"],
        ["organization_key", "remove organizations", acme, "forbidden"],
        ["client", "remove organizations", acme, "forbidden"],
        ["owner", "remove organizations", doomed, "done"],
        ["owner", "add organizations", other, "forbidden"],
        ["owner", "add users", people.guest, "forbidden"],
      );
    });

    test("S-5: only a platform administrator sets the audience of tokens issued by an organization", async () => {
      const audience = "https://api.acme.example";
      const change = "change organizations";
      const path = "/settings/audience";
      const own = { a: 1, brand: { name: "Acme" } };
      await hold(
        ["owner", change, acme, { settings: own }, "done"],
        ["owner", change, acme, { settings: { a: 2, audience } }, `forbidden ${path}`],
        ["root", change, acme, { settings: { audience } }, "done"],
        ["owner", change, acme, { settings: { audience, a: 3 } }, "done"],
        ["owner", change, acme, { settings: null }, `forbidden ${path}`],
        ["owner", change, acme, { settings: { a: 4 } }, `forbidden ${path}`],
        ["owner", change, acme, { settings: { audience: `${audience}/` } }, `forbidden ${path}`],
      );
      // No caller, not even a platform administrator, may use the identifier of another organization or of
      // its API as the audience.
      const named = (id: string) => `urn:postern:organization:${id}`;
      const { identifier } = await aResource(store, { organization_id: other.id });
      for (const audience of [named(other.id), `${named(other.id)}:orders`, "URN:postern:any", identifier])
        await hold(["root", change, acme, { settings: { audience } }, `invalid_record ${path}`]);
      const api = (await aResource(store)).identifier;
      for (const audience of [named(acme.id), `${named(acme.id)}:orders`, api])
        await hold(["root", change, acme, { settings: { audience } }, "done"]);
      await hold(["root", change, acme, { settings: null }, "done"]);
    });

    test("a user cannot add a linked account through the API without proof, because it permits sign-in", async () => {
      const linked = await aLinkedAccount(store, people.guest.id);
      const another = { provider_user_id: "victim", expires_at: start };
      await hold(
        ["subject", "add oauth_accounts", linked, "forbidden"],
        ["subject", "change oauth_accounts", linked, another, "forbidden /provider_user_id"],
        ["subject", "remove oauth_accounts", linked, "done"],
      );
    });

    test("a caller can no longer change a record that was moved away while the request was processed", async () => {
      const app = await anApp(store, { organization_id: acme.id });
      const personal = await anApp(store, { owner_id: people.guest.id });
      const rows = {
        oauth_apps: app,
        oauth_app_secrets: await aSecret(store, { app_id: app.id }),
        oauth_tokens: await aToken(store, { app_id: app.id }),
        oauth_consents: await aConsent(store, { app_id: app.id }),
        service_accounts: fixture.account,
        service_account_key_pairs: await aKeyPair(store, { service_account_id: fixture.account.id }),
        api_keys: await anApiKey(store, { organization_id: acme.id }),
        memberships: memberships.developer,
        organizations: acme,
        users: people.developer,
        oauth_accounts: await aLinkedAccount(store, people.developer.id),
        sessions: await aSession(store, { user_id: people.developer.id }),
      };
      for (const [table, row] of Object.entries(rows) as [TableName, { id: string }][])
        await hold(
          ["outsider", `change ${table}`, row, "not_found"],
          ["outsider", `remove ${table}`, row, "not_found"],
        );
      const ofAccount = { app_id: (await anApp(store)).id, service_account_id: fixture.account.id };
      await hold(
        ["admin", "change oauth_apps", rows.oauth_apps, "done"],
        ["admin", "change oauth_app_secrets", rows.oauth_app_secrets, "done"],
        ["admin", "change oauth_tokens", rows.oauth_tokens, "done"],
        ["admin", "change api_keys", rows.api_keys, "done"],
        ["developer", "change service_account_key_pairs", rows.service_account_key_pairs, "done"],
        ["developer", "change oauth_tokens", await aToken(store, { ...ofAccount, user_id: null }), "done"],
        [
          "subject",
          "change oauth_tokens",
          await aToken(store, { app_id: personal.id, user_id: null }),
          "done",
        ],
        // Owning the app gives no rights to other users' consents.
        ["subject", "change oauth_consents", await aConsent(store, { app_id: personal.id }), "not_found"],
      );
    });

    test("the owner of a row is computed the same inside and outside a transaction", async () => {
      const app = await anApp(store, { organization_id: acme.id });
      const personal = await anApp(store, { owner_id: people.guest.id });
      const { id: service_account_id } = fixture.account;
      const signingKey = signingKeyOf();
      await store.insert("signing_keys", signingKey);
      const rows: [TableName, { id: string }][] = [
        ["organizations", acme],
        ["memberships", memberships.developer],
        ["oauth_accounts", await aLinkedAccount(store, people.guest.id)],
        ["api_keys", await anApiKey(store, { organization_id: acme.id })],
        ["api_keys", await anApiKey(store, { user_id: people.guest.id })],
        ["service_accounts", fixture.account],
        ["service_account_key_pairs", await aKeyPair(store, { service_account_id })],
        ["sessions", await aSession(store, { user_id: people.guest.id })],
        ["signing_keys", signingKey],
      ];
      for (const each of [app, personal]) {
        const app_id = each.id;
        rows.push(
          ["oauth_apps", each],
          ["oauth_app_secrets", await aSecret(store, { app_id })],
          ["oauth_consents", await aConsent(store, { app_id })],
          ["oauth_tokens", await aToken(store, { app_id })],
          ["oauth_tokens", await aToken(store, { app_id, user_id: null })],
          ["oauth_tokens", await aToken(store, { app_id, user_id: null, service_account_id })],
        );
      }
      for (const [table, row] of rows) {
        const inside = await store.transaction((tx) => ownerOfRow(tx, table, row));
        const outside = await store.ownerOf(table, row.id);
        const sorted = (ids: readonly string[] = []) => [...new Set(ids)].sort();
        assert.deepEqual(sorted(inside.organization_ids), sorted(outside?.organization_ids), table);
        assert.equal(inside.user_id, outside?.user_id, table);
      }
    });

    test("the scopes of an API key are limited by the permissions of both its owner and its creator", async () => {
      const key = await anApiKey(store, { organization_id: acme.id });
      const ofAcme = (...scopes: string[]) => ({ ...key, id: randomUUID(), scopes });
      const mine = { organization_id: null, user_id: people.developer.id };
      const own = await anApiKey(store, mine);
      const ofDeveloper = (...scopes: string[]) => ({ ...ofAcme(...scopes), ...mine });
      const narrow: Actor = { kind: "user", user: people.developer, scopes: ["postern:api_keys:write"] };
      const [apps, keys] = ["postern:apps:write", "postern:api_keys:write"];
      const wide = ofAcme(apps, "postern:signing_keys:write", "postern:manage", "postern:nothing");
      const add = "add api_keys";
      const audit = { scopes: ["postern:apps:read", "postern:audit_events:write"] };
      await hold(
        ["admin", add, wide, "forbidden /scopes/1 /scopes/2 /scopes/3"],
        ["admin", add, ofAcme(apps, "orders:read"), "done"],
        ["admin", add, ofAcme("invoices:read", "token:introspect"), "forbidden /scopes/0 /scopes/1"],
        ["developer", add, ofDeveloper(apps, "postern:sessions:read"), "done"],
        ["developer", add, ofDeveloper("postern:memberships:write", "postern:read"), "forbidden /scopes/1"],
        ["developer", "change api_keys", own, audit, "forbidden /scopes/1"],
        [narrow, add, ofDeveloper(keys, "postern:apps:read"), "forbidden /scopes/1"],
        ["root", add, ofAcme(...manage, "anything", "token:introspect"), "done"],
        ["root", add, ofDeveloper("postern:signing_keys:read"), "forbidden /scopes/0"],
        [narrowRoot(keys), add, ofAcme(...manage), "forbidden /scopes/0"],
      );
    });

    test("users create keys for themselves, or for an organization whose keys they manage", async () => {
      const key = await anApiKey(store, { organization_id: acme.id });
      const keyOf = (overrides: Partial<Row<"api_keys">>) => ({ ...key, id: randomUUID(), ...overrides });
      const { owner, developer } = people;
      await hold(
        ["admin", "add api_keys", keyOf({ organization_id: null }), "forbidden /user_id"],
        ["admin", "add api_keys", keyOf({ user_id: owner.id }), "forbidden /user_id"],
        ["developer", "add api_keys", keyOf({ user_id: developer.id }), "forbidden /organization_id"],
        ["admin", "change api_keys", key, { user_id: owner.id }, "forbidden /user_id"],
      );
    });

    test("only a platform administrator gives an app rights beyond its organization", async () => {
      const app = await anApp(store, { organization_id: acme.id, owner_id: people.owner.id });
      const fresh = { ...app, id: randomUUID(), owner_id: people.developer.id };
      const far = {
        ...fresh,
        owner_id: people.owner.id,
        first_party: true,
        allowed_scopes: ["orders:read", "token:introspect", "postern:apps:read"],
        metadata: { resource: "https://api.example", resources: ["https://elsewhere.example"] },
        resources: ["https://elsewhere.example"],
      };
      const all =
        "/owner_id /first_party /allowed_scopes/1 /allowed_scopes/2 /metadata/resource /metadata/resources";
      const taken = { owner_id: people.developer.id, first_party: true };
      const change = "change oauth_apps";
      const narrow = narrowRoot("postern:apps:write");
      const strangers = { ...fresh, owner_id: people.outsider.id };
      await hold(
        ["developer", "add oauth_apps", fresh, "done"],
        ["developer", "add oauth_apps", far, `forbidden ${all}`],
        ["developer", "add oauth_apps", { ...fresh, organization_id: null } as never, "forbidden"],
        ["developer", change, app, { organization_id: other.id }, "forbidden"],
        ["developer", change, app, taken, "forbidden /owner_id /first_party"],
        [narrow, change, app, { allowed_scopes: manage }, "forbidden /allowed_scopes/0"],
        ["service_account", "add oauth_apps", fresh, "done"],
        ["service_account", "add oauth_apps", strangers, "forbidden /owner_id"],
      );
    });

    test("an API identifier belongs to one app, and apps of the same organization may request tokens for it", async () => {
      const resource = `https://${randomUUID()}.example`;
      const change = "change oauth_apps";
      const api = await anApp(store, { organization_id: acme.id });
      const sibling = await anApp(store, { organization_id: acme.id });
      const stranger = await anApp(store, { organization_id: other.id });
      await hold(["root", change, api, { metadata: { resource } }, "done"]);
      const made = { identifier: resource, organization_id: acme.id, app_ids: [api.id] };
      await aResource(store, { ...made, who_may_ask: "listed" });
      const both = { metadata: { resource: ["https://b.example", resource] } };
      await hold(
        ["root", change, api, { metadata: { resource, note: "the same" } }, "done"],
        ["root", change, await anApp(store), both, "conflict /metadata/resource"],
        ["developer", change, sibling, { resources: [resource] }, "done"],
        ["developer", change, api, { metadata: { resource, colour: "blue" } }, "done"],
        ["outsider", change, stranger, { resources: [resource] }, "forbidden /resources/0"],
      );
    });

    test("a caller cannot take over an app or account that has more permissions than the caller", async () => {
      const inAcme = { organization_id: acme.id, allowed_scopes: manage };
      const allowed_scopes = ["orders:read", "postern:memberships:write"];
      const app = await anApp(store, { ...inAcme, allowed_scopes });
      const secret = await aSecret(store, { app_id: app.id });
      const account = await aServiceAccount(store, { ...inAcme, allowed_scopes });
      const pair = await aKeyPair(store, { service_account_id: account.id });
      const machine = await anApp(store, { ...inAcme, allowed_grants: ["client_credentials"] });
      const personal = await anApp(store, { owner_id: people.guest.id, allowed_scopes: manage });
      const harmless = { name: "Harmless", allowed_scopes: ["orders:read"] };
      await hold(
        ["developer", "add oauth_app_secrets", secret, "forbidden"],
        ["developer", "change oauth_app_secrets", secret, { expires_at: null }, "forbidden"],
        ["developer", "change oauth_apps", app, { redirect_uris: ["https://evil.example/cb"] }, "forbidden"],
        ["developer", "add service_account_key_pairs", pair, "forbidden"],
        ["developer", "change service_account_key_pairs", pair, { active: true }, "forbidden"],
        ["developer", "change oauth_apps", app, harmless, "done"],
        ["admin", "add service_account_key_pairs", pair, "done"],
        ["developer", "change oauth_app_secrets", secret, { revoked: true }, "done"],
        ["developer", "change service_account_key_pairs", pair, { revoked: true }, "done"],
        ["admin", "add oauth_app_secrets", { ...secret, app_id: machine.id } as never, "done"],
        // With auth_code the app would get codes of users, possibly of an administrator.
        ["admin", "change oauth_apps", machine, { allowed_grants: ["auth_code"] }, "forbidden"],
        ["owner", "change oauth_apps", await anApp(store, inAcme), { redirect_uris: [] }, "forbidden"],
        ["subject", "add oauth_app_secrets", { ...secret, app_id: personal.id } as never, "forbidden"],
      );
    });

    test("a service account gets no scope that its creator or its organization lacks", async () => {
      const [add, change] = ["add service_accounts", "change service_accounts"] as const;
      const own = { ...fixture.account, id: randomUUID(), created_by: people.developer.id };
      const fine = { ...own, allowed_scopes: ["orders:read", "postern:apps:read"] };
      const beyond = ["postern:memberships:write", "orders:read", "invoices:read"];
      const wide = { ...own, created_by: people.owner.id, allowed_scopes: beyond };
      await hold(
        ["developer", add, fine, "done"],
        ["developer", add, wide, "forbidden /created_by /allowed_scopes/0 /allowed_scopes/2"],
        ["developer", change, fixture.account, { organization_id: other.id }, "forbidden"],
        ["developer", change, fixture.account, { created_by: people.developer.id }, "forbidden /created_by"],
      );
    });

    test("users give consent only on the consent page; the management API can narrow or revoke it", async () => {
      const scopes = ["openid", "profile", "email"];
      const consent = await aConsent(store, { user_id: people.guest.id, app_id: fixture.app.id, scopes });
      const change = "change oauth_consents";
      await hold(["subject", change, consent, { scopes: ["openid"] }, "done"]);
      for (const who of ["subject", "admin"] as const)
        await hold(
          [who, "add oauth_consents", consent, "forbidden"],
          [who, change, consent, { scopes: ["openid", "orders:read"] }, "forbidden /scopes"],
          [who, change, consent, { granted: false, revoked: true }, "done"],
          [who, change, consent, { granted: true, revoked: false }, "forbidden /granted /revoked"],
        );
    });

    test("an administrator's limited credential may narrow any consent, and may not move one with scopes beyond its own", async () => {
      const scopes = ["openid", "postern:users:write", "postern:apps:write"];
      const consent = await aConsent(store, {
        user_id: people.guest.id,
        app_id: (await anApp(store)).id,
        scopes,
      });
      const [narrow, change] = [narrowRoot("postern:consents:write"), "change oauth_consents"] as const;
      const beyond = "forbidden /scopes/1 /scopes/2";
      await hold(
        [narrow, change, consent, { app_id: (await anApp(store)).id }, beyond],
        [narrow, change, consent, { user_id: (await aUser(store)).id }, beyond],
        [narrow, change, consent, { granted: true, revoked: false }, beyond],
        [narrow, change, consent, { scopes: scopes.slice(0, 2) }, "done"],
        [narrow, change, consent, { granted: false, revoked: true }, "done"],
      );
    });

    /** Records that the owner of the organization may change. */
    async function ofOwner(): Promise<Partial<Record<TableName, { readonly id: string }>>> {
      const organization_id = acme.id;
      const app = await anApp(store, { organization_id, owner_id: people.owner.id });
      const account = await aServiceAccount(store, { organization_id, created_by: people.owner.id });
      return {
        users: people.owner,
        organizations: acme,
        oauth_accounts: await aLinkedAccount(store, people.owner.id),
        api_keys: await anApiKey(store, { user_id: people.owner.id, organization_id: null }),
        oauth_apps: app,
        oauth_app_secrets: await aSecret(store, { app_id: app.id }),
        resources: await aResource(store, { organization_id }),
        providers: await aProvider(store, { organization_id }),
        service_accounts: account,
        service_account_key_pairs: await aKeyPair(store, { service_account_id: account.id }),
        webhook_endpoints: await anEndpoint(store, { organization_id }),
      };
    }

    /** Returns a value that the record's field does not have. */
    function another(table: TableName, name: string, current: unknown): unknown {
      if (typeof current === "boolean") return !current;
      const { kind } = fieldsOf(table)[name] ?? {};
      return kind === "uuid" ? randomUUID() : kind === "time" ? new Date("2031-01-01") : "another";
    }

    test("an owner of an organization cannot set any field reserved for platform administrators", async () => {
      const rows = await ofOwner();
      const met: string[] = [];
      for (const { table } of resources)
        for (const name of platformFields(table, "update")) {
          const row = rows[table];
          assert.ok(row !== undefined, `${table} has a record here`);
          if (fieldsOf(table)[name]?.immutable) continue;
          if (name === "settings.audience") continue; // S-5
          const change = { [name]: another(table, name, (row as Record<string, unknown>)[name]) };
          const error = await write("owner", `change ${table}`, row, change).catch((error: unknown) => error);
          assert.ok(error instanceof Problem && error.code === "forbidden", `${table}.${name}: ${error}`);
          assert.ok(error.errors.some(({ path }) => path === `/${name}`));
          met.push(`${table}.${name}`);
        }
      for (const sure of ["users.email", "organizations.plan", "oauth_apps.first_party", "api_keys.user_id"])
        assert.ok(met.includes(sure), sure);
    });

    test("forms show these reserved fields only to platform administrators, and only those that can be set", () => {
      for (const resource of resources) {
        const view = { id: randomUUID(), active: false, public: true };
        const names = (is_platform_admin: boolean) =>
          formFields(resource, is_platform_admin, view).map(({ name }) => name);
        const theirs = platformFields(resource.table, "update");
        const left = names(true).filter((name) => !theirs.includes(name));
        assert.deepEqual(left, names(false), resource.resourceType);
      }
    });

    test("only platform administrators create and delete reserved records", async () => {
      for (const [table, row] of Object.entries(await ofOwner()) as [TableName, { id: string }][]) {
        if (isPlatformOnly(table, "create"))
          await hold(["owner", `add ${table}`, { ...row, id: randomUUID() }, "forbidden"]);
        if (isPlatformOnly(table, "remove")) await hold(["owner", `remove ${table}`, row, "forbidden"]);
      }
    });
  });
