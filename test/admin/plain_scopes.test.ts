import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Actor } from "../../src/admin/access/actor.ts";
import { createRecord, updateRecord } from "../../src/admin/manage/manage.ts";
import { resourceOf } from "../../src/admin/resources/resources.ts";
import { fieldError } from "../../src/errors/field_errors.ts";
import type { OAuthApp, Organization, User } from "../../src/records/definition/definition.ts";
import { introspectionScope } from "../../src/records/names/names.ts";
import { everywhere, serverItself } from "../../src/records/rules/scope_owners.ts";
import { aClientFixture } from "../oauth/client_fixture.ts";
import { type TestServer, testServer } from "../support/authorization_server.ts";
import { aMembership, anApp, anOrganization, aResource, aUser } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { refused, testContext } from "./context.ts";

const apiKeys = resourceOf("api_keys");
const apps = resourceOf("apps");

for (const database of databasesInForm)
  describe(`the right to grant an API's own scopes, on ${database.name}`, () => {
    let fixture: TestServer;
    let mine: Organization;
    let theirs: Organization;
    before(async () => {
      fixture = await testServer(await database.open());
      [mine, theirs] = [await anOrganization(fixture.store), await anOrganization(fixture.store)];
    });

    const as = (actor: Actor) => testContext(fixture.store, actor);
    const system: Actor = { kind: "system", label: "test" };

    /** Returns a user who may write apps in `mine` and is an ordinary member of `theirs`. */
    async function aDeveloper(): Promise<{ user: User; membership: { id: string } }> {
      const user = await aUser(fixture.store);
      await aMembership(fixture.store, { user_id: user.id, organization_id: mine.id, role: "developer" });
      const membership = await aMembership(fixture.store, { user_id: user.id, organization_id: theirs.id });
      return { user, membership };
    }
    const anAppOf = (owner: User, organization_id: string | null, ...allowed_scopes: string[]) =>
      anApp(fixture.store, { owner_id: owner.id, organization_id, allowed_scopes });

    async function aKey(
      actor: Actor,
      requested: Record<string, unknown>,
    ): Promise<{ id: string; key: string }> {
      const { record, once } = await createRecord(as(actor), apiKeys, { name: "k", ...requested });
      return { id: String(record.id), key: once.key ?? assert.fail() };
    }
    const ownersOf = async (id: string) =>
      (await fixture.store.find("api_keys", { id }))?.scope_owners ?? assert.fail();
    /**
     * Returns the scopes of the key that a resource server of this organization sees; undefined if the key is
     * inactive for it.
     */
    async function exposedTo(organization_id: string | null, key: string): Promise<string | undefined> {
      const overrides: Partial<OAuthApp> = { organization_id, allowed_scopes: [introspectionScope] };
      const answer = await (await aClientFixture(fixture, overrides)).introspect(key);
      return (answer as { scope?: string }).scope;
    }

    test("S-1: a user's API key proves no scope to an organization that did not grant it (security finding 4)", async () => {
      const { user } = await aDeveloper();
      const developer: Actor = { kind: "user", user };
      await createRecord(as(developer), apps, {
        name: "mine",
        organization_id: mine.id,
        allowed_scopes: ["orders:admin"],
      });
      const { key, id } = await aKey(developer, { scopes: ["orders:admin", "postern:apps:read"] });
      assert.deepEqual(await ownersOf(id), { "orders:admin": [mine.id] });
      assert.equal(await exposedTo(theirs.id, key), "postern:apps:read");
      assert.equal(await exposedTo(null, key), "postern:apps:read");
      assert.equal(await exposedTo(mine.id, key), "orders:admin postern:apps:read");
      const only = await aKey(developer, { scopes: ["orders:admin"] });
      assert.equal(await exposedTo(theirs.id, only.key), "", "active, with nothing that it vouches for");
    });

    test("S-2: a user's API key gets only scopes of apps that the user may write (security finding 4)", async () => {
      const { user, membership } = await aDeveloper();
      await anAppOf(user, theirs.id, "orders:old");
      await anAppOf(await aUser(fixture.store), mine.id, "orders:of-another");
      await anAppOf(user, mine.id, "orders:read");
      const developer: Actor = { kind: "user", user };
      for (const scope of ["orders:old", "orders:of-another", "orders:never"])
        await refused(aKey(developer, { scopes: ["orders:read", scope] }), "forbidden /scopes/1");
      const narrow: Actor = { kind: "user", user, scopes: ["postern:api_keys:write"] };
      await refused(aKey(narrow, { scopes: ["orders:read"] }), "forbidden /scopes/0");
      const wider: Actor = { ...narrow, scopes: ["postern:api_keys:write", "postern:apps:write"] };
      await aKey(wider, { scopes: ["orders:read"] });
      await fixture.store.update("memberships", { id: membership.id }, { permissions: ["apps:write"] });
      const { id } = await aKey(developer, { scopes: ["orders:old", "orders:read"] });
      assert.deepEqual(await ownersOf(id), { "orders:old": [theirs.id], "orders:read": [mine.id] });
    });

    test("S-1: an organization trusts a user's API key only while the user is a member", async () => {
      const { user } = await aDeveloper();
      await anAppOf(user, mine.id, "orders:read");
      const { key } = await aKey({ kind: "user", user }, { scopes: ["orders:read"] });
      assert.equal(await exposedTo(mine.id, key), "orders:read");
      await fixture.store.remove("memberships", { user_id: user.id, organization_id: mine.id });
      assert.equal(await exposedTo(mine.id, key), undefined);
    });

    test("S-1: an organization trusts its own API keys, and a platform administrator's keys are trusted everywhere", async () => {
      const { user } = await aDeveloper();
      await anAppOf(user, mine.id, "orders:read");
      const admin = await aUser(fixture.store);
      await aMembership(fixture.store, { user_id: admin.id, organization_id: mine.id, role: "admin" });
      const machine = await aKey(
        { kind: "user", user: admin },
        { scopes: ["orders:read"], organization_id: mine.id },
      );
      assert.deepEqual(await ownersOf(machine.id), { "orders:read": [mine.id] });
      assert.equal(await exposedTo(mine.id, machine.key), "orders:read");

      const root = await aUser(fixture.store, { is_platform_admin: true });
      for (const actor of [system, { kind: "user", user: root } as const]) {
        const { id, key } = await aKey(actor, { scopes: ["bills:pay", "openid"], user_id: user.id });
        assert.deepEqual(await ownersOf(id), { "bills:pay": [everywhere] });
        for (const place of [mine.id, theirs.id, null])
          assert.equal(await exposedTo(place, key), "bills:pay openid");
      }
      const narrow: Actor = { kind: "user", user: root, scopes: ["postern:api_keys:write"] };
      await refused(aKey(narrow, { scopes: ["bills:pay"], user_id: user.id }), "forbidden /scopes/0");
    });

    test("S-3: scopes added to an API key are limited by the permissions of the caller who adds them", async () => {
      const { user, membership } = await aDeveloper();
      await anAppOf(user, mine.id, "orders:read");
      const developer: Actor = { kind: "user", user };
      const { id } = await aKey(developer, { scopes: ["orders:read"] });
      await updateRecord(as(system), apiKeys, id, { scopes: ["orders:read", "bills:pay"] });
      assert.deepEqual(await ownersOf(id), { "orders:read": [mine.id], "bills:pay": [everywhere] });
      await anAppOf(user, theirs.id, "orders:read", "orders:write");
      await fixture.store.update("memberships", { id: membership.id }, { role: "developer" });
      await updateRecord(as(developer), apiKeys, id, {
        scopes: ["orders:read", "orders:write", "bills:pay"],
      });
      assert.deepEqual(await ownersOf(id), {
        "orders:read": [mine.id],
        "orders:write": [theirs.id],
        "bills:pay": [everywhere],
      });
      await updateRecord(as(developer), apiKeys, id, { name: "other", scopes: ["bills:pay"] });
      assert.deepEqual(await ownersOf(id), { "bills:pay": [everywhere] });
      await refused(
        updateRecord(as(system), apiKeys, id, { scope_owners: { "bills:pay": [everywhere] } }),
        "invalid_record /scope_owners",
      );
    });

    test("S-4: an app without an organization cannot define a scope that another owner has defined (security finding 5)", async () => {
      const owner = await aUser(fixture.store);
      const own = await anAppOf(owner, null, "openid", "mine:read");
      await anAppOf(owner, null, "mine:write");
      await anAppOf(await aUser(fixture.store), null, "theirs:read");
      await anAppOf(owner, theirs.id, "tenants:read");
      const asOwner = as({ kind: "user", user: owner } as const);
      const changed = (context: typeof asOwner, ...allowed_scopes: string[]) =>
        updateRecord(context, apps, own.id, { allowed_scopes });
      const reported = await changed(asOwner, "openid", "theirs:read", "tenants:read", "free:read").catch(
        (error) => error.errors,
      );
      assert.deepEqual(reported, [
        fieldError("/allowed_scopes/1", "scope_defined_elsewhere"),
        fieldError("/allowed_scopes/2", "scope_defined_elsewhere"),
      ]);
      await changed(asOwner, "openid", "profile", "mine:read", "mine:write", "free:read");
      await changed(as(system), "theirs:read", "mine:read");
      await changed(asOwner, "theirs:read");
      await aResource(fixture.store, { scopes: { "billing:admin": null } });
      await aResource(fixture.store, { scopes: { "tenant:admin": null }, organization_id: theirs.id });
      await refused(changed(asOwner, "theirs:read", "billing:admin"), "forbidden /allowed_scopes/1");
      await changed(asOwner, "theirs:read", "tenant:admin");
      const { id } = await aKey({ kind: "user", user: owner }, { scopes: ["theirs:read"] });
      assert.deepEqual(await ownersOf(id), { "theirs:read": [serverItself] });
      const developer = (await aDeveloper()).user;
      await createRecord(as({ kind: "user", user: developer }), apps, {
        name: "any name",
        organization_id: mine.id,
        allowed_scopes: ["theirs:read", "tenants:read"],
      });
    });
  });
