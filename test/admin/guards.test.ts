import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import type { Actor } from "../../src/admin/access/actor.ts";
import { ownerOfRow } from "../../src/admin/access/owners.ts";
import { confirmPassword } from "../../src/admin/guards/guards.ts";
import type { Row, TableName } from "../../src/records/definition.ts";
import {
  aConsent,
  aKeyPair,
  anApiKey,
  anApp,
  anOrganization,
  aResource,
  aSecret,
  aSession,
  aToken,
  aUser,
  signingKeyOf,
  start,
} from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { aLinkedAccount, aMembership, managementWorld } from "../support/management_world.ts";
import { problem, testContext } from "./context.ts";
import { guarded } from "./guarded.ts";

for (const database of databasesInForm) {
  describe(`what nobody may do on ${database.name}`, async () => {
    const store = await database.open();
    const world = await managementWorld(store);
    const { acme, other, people, memberships, actors } = world;
    const as = (actor: Actor) => guarded(store, actor);
    const system: Actor = { kind: "system", label: "test" };
    const root = as(actors.platform_administrator);
    const narrowRoot = (...scopes: string[]) => as({ kind: "user", user: people.root, scopes });

    const newMembership = (given: Partial<Row<"memberships">>): Row<"memberships"> => ({
      ...memberships.member,
      id: randomUUID(),
      user_id: randomUUID(),
      ...given,
    });

    test("the last owner of an organization stays, whoever asks", async () => {
      for (const who of [as(actors.owner), root, as(system)]) {
        await assert.rejects(who.remove("memberships", memberships.owner), problem("last_owner"));
        await assert.rejects(
          who.change("memberships", memberships.owner, { role: "member" }),
          problem("last_owner"),
        );
      }
      await assert.rejects(root.remove("users", people.owner), problem("last_owner"));
      const heir = await aUser(store, { active: false });
      const second = await aMembership(store, { user_id: heir.id, organization_id: acme.id, role: "owner" });
      await assert.rejects(root.remove("memberships", memberships.owner), problem("last_owner"));
      await store.update("users", { id: heir.id }, { active: true });
      await as(actors.owner).change("memberships", second, { role: "member" });
    });

    test("of two owners who leave at the same moment, one stays", async () => {
      const organizations = await Promise.all(Array.from({ length: 10 }, () => anOrganization(store)));
      const leaving = [];
      for (const { id } of organizations) {
        for (const name of ["one", "other"]) {
          const user = await aUser(store, { name });
          const row = await aMembership(store, { user_id: user.id, organization_id: id, role: "owner" });
          leaving.push(() => as({ kind: "user", user }).remove("memberships", row));
        }
      }
      const outcomes = await Promise.allSettled(leaving.map((leave) => leave()));
      assert.equal(outcomes.filter(({ status }) => status === "rejected").length, organizations.length);
      for (const { id } of organizations) {
        assert.equal(await store.count("memberships", { organization_id: id }), 1);
      }
    });

    test("the last active platform administrator stays, whoever asks", async () => {
      await assert.rejects(
        as(system).change("users", people.root, { active: false }),
        problem("last_administrator"),
      );
      await assert.rejects(
        as(system).change("users", people.root, { is_platform_admin: false }),
        problem("last_administrator"),
      );
      await assert.rejects(as(system).remove("users", people.root), problem("last_administrator"));
      const pair = [people.root, await aUser(store, { is_platform_admin: true })];
      const stepping = pair.map((user) =>
        as({ kind: "user", user }).change("users", user, { is_platform_admin: false }),
      );
      const outcomes = await Promise.allSettled(stepping);
      assert.equal(outcomes.filter(({ status }) => status === "rejected").length, 1);
      assert.equal(await store.count("users", { is_platform_admin: true }), 1);
      await store.update("users", { id: people.root.id }, { is_platform_admin: true });
    });

    test("an owner's membership is an owner's or a platform administrator's to touch", async () => {
      const second = await aMembership(store, {
        user_id: (await aUser(store)).id,
        organization_id: acme.id,
        role: "owner",
      });
      for (const who of ["admin", "organization_key", "service_account", "client"] as const) {
        await assert.rejects(as(actors[who]).remove("memberships", second), problem("forbidden"));
        await assert.rejects(
          as(actors[who]).change("memberships", second, { permissions: [] }),
          problem("forbidden"),
        );
      }
      await as(actors.owner).change("memberships", second, { role: "admin" });
      await root.change("memberships", second, { role: "owner" });
      await as(actors.owner).remove("memberships", second);
    });

    test("nobody grants a role above their own, nor a permission that they do not hold", async () => {
      const there = { organization_id: acme.id };
      const admin = as(actors.admin);
      await admin.add("memberships", newMembership({ ...there, role: "admin" }));
      await admin.add(
        "memberships",
        newMembership({ ...there, role: "accountant", permissions: ["billing"] }),
      );
      await assert.rejects(
        admin.add("memberships", newMembership({ ...there, role: "owner" })),
        problem("forbidden", ["/role"]),
      );
      await assert.rejects(
        admin.add(
          "memberships",
          newMembership({ ...there, permissions: ["apps:read", "signing_keys:write"] }),
        ),
        problem("forbidden", ["/permissions/1"]),
      );
      await assert.rejects(
        as(actors.admin).change("memberships", memberships.admin, { role: "owner" }),
        problem("forbidden", ["/role"]),
      );
      await assert.rejects(
        as(actors.outsider).add("memberships", newMembership(there)),
        problem("forbidden"),
      );
      const hr = await aUser(store);
      await aMembership(store, { ...there, user_id: hr.id, permissions: ["memberships:write"] });
      const recruiter = as({ kind: "user", user: hr });
      await recruiter.add("memberships", newMembership(there));
      await assert.rejects(
        recruiter.add("memberships", newMembership({ ...there, role: "developer" })),
        problem("forbidden", ["/role"]),
      );
      await assert.rejects(recruiter.remove("memberships", memberships.developer), problem("forbidden"));
      const narrow = as({ kind: "user", user: people.owner, scopes: ["postern:memberships:write"] });
      await assert.rejects(
        narrow.add("memberships", newMembership({ ...there, role: "owner" })),
        problem("forbidden", ["/role"]),
      );
    });

    test("a permission that was there before somebody's change may stay", async () => {
      const given = {
        organization_id: acme.id,
        user_id: (await aUser(store)).id,
        permissions: ["sessions:read"],
      };
      const row = await aMembership(store, given);
      await as(actors.admin).change("memberships", row, { role: "developer" });
      await assert.rejects(
        as(actors.admin).change("memberships", row, { permissions: ["sessions:read", "sessions:write"] }),
        problem("forbidden", ["/permissions/1"]),
      );
    });

    test("a member may leave, and do nothing else with their own membership", async () => {
      const user = await aUser(store);
      const row = await aMembership(store, { user_id: user.id, organization_id: acme.id });
      const me = as({ kind: "user", user });
      await assert.rejects(me.change("memberships", row, { role: "admin" }), problem("forbidden"));
      await me.remove("memberships", row);
    });

    test("of their own record a user changes name, picture and password", async () => {
      const me = as(actors.subject);
      await me.change("users", people.guest, { name: "New", avatar_url: null, password_hash: "x" });
      await assert.rejects(
        me.change("users", people.guest, { email: "new@example.com", email_key: "x", name: "N" }),
        problem("forbidden", ["/email"]),
      );
      await assert.rejects(
        me.change("users", people.guest, { is_platform_admin: true, active: false }),
        problem("forbidden", ["/is_platform_admin", "/active"]),
      );
      await assert.rejects(me.remove("users", people.guest), problem("forbidden"));
      await assert.rejects(
        as(actors.owner).change("users", people.guest, { name: "Mine" }),
        problem("not_found"),
      );
      await assert.rejects(
        root.change("users", people.root, { active: false }),
        problem("forbidden", ["/active"]),
      );
      await assert.rejects(root.remove("users", people.root), problem("forbidden"));
    });

    test("a credential that lets only some things through makes no administrator and takes none over", async () => {
      const narrow = narrowRoot("postern:users:read", "postern:users:write");
      const victim = await aUser(store, { is_platform_admin: true });
      const plain = await aUser(store);
      await narrow.change("users", plain, { name: "Changed" });
      // Whoever has the address of an account has the account, whatever it may do (security finding 2).
      await assert.rejects(
        narrow.change("users", plain, { email: "changed@example.com" }),
        problem("forbidden", ["/email"]),
      );
      await assert.rejects(
        narrow.change("users", plain, { is_platform_admin: true }),
        problem("forbidden", ["/is_platform_admin"]),
      );
      await assert.rejects(
        narrow.add("users", { ...plain, id: randomUUID(), is_platform_admin: true }),
        problem("forbidden", ["/is_platform_admin"]),
      );
      await assert.rejects(
        narrow.change("users", victim, { password_hash: "x" }),
        problem("forbidden", ["/password"]),
      );
      await root.change("users", victim, { password_hash: "x", is_platform_admin: false });
    });

    test("a new password of one's own needs the old one", async () => {
      const context = testContext(store, { kind: "user", user: people.guest });
      const current = { ...people.guest, password_hash: await context.passwords.hash("correct horse") };
      const wrong = problem("invalid_record", ["/current_password"]);
      for (const given of [undefined, "", "wrong horse", 7]) {
        await assert.rejects(confirmPassword(context, current, given), wrong);
      }
      await confirmPassword(context, current, "correct horse");
      await confirmPassword(context, { ...current, password_hash: null }, undefined);
      await confirmPassword(testContext(store), current, undefined);
    });

    test("an organization's plan and state are a platform administrator's, deleting it an owner's too", async () => {
      await as(actors.admin).change("organizations", acme, { name: "Acme 2", settings: { a: 1 } });
      await assert.rejects(
        as(actors.owner).change("organizations", acme, { plan: "pro", active: false }),
        problem("forbidden", ["/plan", "/active"]),
      );
      for (const who of ["admin", "organization_key", "client"] as const) {
        await assert.rejects(as(actors[who]).remove("organizations", acme), problem("forbidden"), who);
      }
      const doomed = await anOrganization(store);
      await aMembership(store, { user_id: people.owner.id, organization_id: doomed.id, role: "owner" });
      await as(actors.owner).remove("organizations", doomed);
      await assert.rejects(as(actors.owner).add("organizations", other), problem("forbidden"));
      await assert.rejects(as(actors.owner).add("users", people.guest), problem("forbidden"));
    });

    test("S-5: whom tokens of an organization are for is a platform administrator's to say", async () => {
      const audience = "https://api.acme.example";
      const owner = as(actors.owner);
      await owner.change("organizations", acme, { settings: { a: 1, brand: { name: "Acme" } } });
      await assert.rejects(
        owner.change("organizations", acme, { settings: { a: 2, audience } }),
        problem("forbidden", ["/settings/audience"]),
      );
      const root = as(actors.platform_administrator);
      await root.change("organizations", acme, { settings: { audience } });
      await owner.change("organizations", acme, { settings: { audience, a: 3 } });
      for (const settings of [null, { a: 4 }, { audience: `${audience}/` }]) {
        const change = owner.change("organizations", acme, { settings });
        await assert.rejects(change, problem("forbidden", ["/settings/audience"]));
      }
      await root.change("organizations", acme, { settings: null });
    });

    test("S-5: tokens of an organization are for no other organization, whoever says so", async () => {
      const root = as(actors.platform_administrator);
      const { identifier } = await aResource(store, { organization_id: other.id });
      const named = (id: string) => `urn:postern:organization:${id}`;
      for (const audience of [named(other.id), `${named(other.id)}:orders`, "URN:postern:any", identifier]) {
        await assert.rejects(
          root.change("organizations", acme, { settings: { audience } }),
          problem("invalid_record", ["/settings/audience"]),
          audience,
        );
      }
      for (const audience of [
        named(acme.id),
        `${named(acme.id)}:orders`,
        (await aResource(store)).identifier,
      ]) {
        await root.change("organizations", acme, { settings: { audience } });
      }
      await root.change("organizations", acme, { settings: null });
    });

    test("a linked account lets its user sign in, so nobody claims one by saying so", async () => {
      const linked = await aLinkedAccount(store, people.guest.id);
      await assert.rejects(as(actors.subject).add("oauth_accounts", linked), problem("forbidden"));
      await assert.rejects(
        as(actors.subject).change("oauth_accounts", linked, {
          provider_user_id: "victim",
          expires_at: start,
        }),
        problem("forbidden", ["/provider_user_id"]),
      );
      await as(actors.subject).remove("oauth_accounts", linked);
    });

    test("a record that moved away after somebody asked for it is no longer theirs to write", async () => {
      const app = await anApp(store, { organization_id: acme.id });
      const rows = {
        oauth_apps: app,
        oauth_app_secrets: await aSecret(store, { app_id: app.id }),
        oauth_tokens: await aToken(store, { app_id: app.id }),
        oauth_consents: await aConsent(store, { app_id: app.id }),
        service_accounts: world.account,
        service_account_key_pairs: await aKeyPair(store, { service_account_id: world.account.id }),
        api_keys: await anApiKey(store, { organization_id: acme.id }),
        memberships: memberships.developer,
        organizations: acme,
        users: people.developer,
        oauth_accounts: await aLinkedAccount(store, people.developer.id),
        sessions: await aSession(store, { user_id: people.developer.id }),
      };
      for (const [table, row] of Object.entries(rows)) {
        const outsider = as(actors.outsider);
        await assert.rejects(outsider.change(table as TableName, row, {}), problem("not_found"), table);
        await assert.rejects(outsider.remove(table as TableName, row), problem("not_found"), table);
      }
      for (const table of ["oauth_apps", "oauth_app_secrets", "oauth_tokens", "api_keys"] as const) {
        await as(actors.admin).change(table, rows[table], {});
      }
      await as(actors.developer).change("service_account_key_pairs", rows.service_account_key_pairs, {});
      const machines = {
        app_id: (await anApp(store)).id,
        user_id: null,
        service_account_id: world.account.id,
      };
      await as(actors.developer).change("oauth_tokens", await aToken(store, machines), {});
      const personal = await anApp(store, { owner_id: people.guest.id });
      await as(actors.subject).change(
        "oauth_tokens",
        await aToken(store, { app_id: personal.id, user_id: null }),
        {},
      );
      const elsewhere = await aConsent(store, { app_id: personal.id });
      await assert.rejects(
        as(actors.subject).change("oauth_consents", elsewhere, {}),
        problem("not_found"),
        "whose app it is does not make somebody else's consent theirs",
      );
    });

    test("what a row belongs to is the same inside a transaction as everywhere else", async () => {
      const app = await anApp(store, { organization_id: acme.id });
      const personal = await anApp(store, { owner_id: people.guest.id });
      const { id: service_account_id } = world.account;
      const signingKey = signingKeyOf();
      await store.insert("signing_keys", signingKey);
      const rows: [TableName, { id: string }][] = [
        ["organizations", acme],
        ["memberships", memberships.developer],
        ["oauth_accounts", await aLinkedAccount(store, people.guest.id)],
        ["api_keys", await anApiKey(store, { organization_id: acme.id })],
        ["api_keys", await anApiKey(store, { user_id: people.guest.id })],
        ["service_accounts", world.account],
        ["service_account_key_pairs", await aKeyPair(store, { service_account_id })],
        ["sessions", await aSession(store, { user_id: people.guest.id })],
        ["signing_keys", signingKey],
      ];
      for (const { id: app_id } of [app, personal]) {
        rows.push(
          ["oauth_apps", app_id === app.id ? app : personal],
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
  });
}
