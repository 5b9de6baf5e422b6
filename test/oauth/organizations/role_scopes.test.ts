import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { updateRecord } from "../../../src/admin/manage/manage.ts";
import { resourceOf } from "../../../src/admin/resources/resources.ts";
import { scopesOfRoles } from "../../../src/oauth/organizations/context.ts";
import type { ApiResource } from "../../../src/records/definition/definition.ts";
import { membershipScopes } from "../../../src/records/names/names.ts";
import { testContext } from "../../admin/context.ts";
import { serverOn } from "../../support/authorization_server.ts";
import {
  aGroup,
  aGroupMember,
  aMembership,
  anAppRole,
  anOrganization,
  aResource,
} from "../../support/builders.ts";
import { describeInForm } from "../../support/databases.ts";
import { ask, authorizeParameters, redirected } from "../../support/flows.ts";
import { aClientFixture, refusal } from "../client_fixture.ts";

const orders = { "orders:read": null, "orders:write": null, "orders:delete": null };
const api_scopes = Object.keys(orders);
const allowed_scopes = ["openid", "roles", ...api_scopes];
const scope = `openid ${api_scopes.join(" ")}`;

describeInForm("an API whose scopes are granted by app roles", (database) => {
  const as = serverOn(database);
  const context = () => testContext(as.store);

  /**
   * Creates a member who may read through their own app role, and write through an app role of their group.
   */
  async function aClerk(app: object = {}) {
    const api = await aResource(as.store, { scopes: orders, role_bound: true });
    const fixture = await aClientFixture(as, {
      first_party: true,
      organization_mode: "auto",
      allowed_scopes,
      ...app,
    });
    const { id: organization_id } = await anOrganization(as.store);
    const reader = await anAppRole(as.store, { resource_id: api.id, scopes: ["orders:read"] });
    const writer = await anAppRole(as.store, { resource_id: api.id, scopes: ["orders:write"] });
    const membership = await aMembership(as.store, {
      user_id: fixture.user.id,
      organization_id,
      app_role_ids: [reader.id],
    });
    const group = await aGroup(as.store, { organization_id, app_role_ids: [writer.id] });
    await aGroupMember(as.store, membership, group);
    return { api, fixture, reader, writer, membership, group, resource: api.identifier };
  }

  test("OC-6: a code, its tokens and a refresh have only scopes that the user's app roles grant", async () => {
    const { fixture, resource, membership, group } = await aClerk();
    const tokens = await fixture.flow({ scope, resource });
    assert.equal(tokens.scope, "openid orders:read orders:write");
    const told = async () => ((await fixture.introspect(tokens.access_token)) as { scope?: string }).scope;
    assert.equal(await told(), "openid orders:read orders:write");
    const code = await fixture.code({ scope, resource });
    await updateRecord(context(), resourceOf("groups"), group.id, { app_role_ids: [] });
    assert.equal(await told(), "openid orders:read");
    assert.equal((await fixture.exchange(code)).scope, "openid orders:read");
    const refreshed = await fixture.refresh(tokens.refresh_token);
    assert.equal(refreshed.scope, "openid orders:read");
    await updateRecord(context(), resourceOf("memberships"), membership.id, { app_role_ids: [] });
    assert.equal((await fixture.refresh(refreshed.refresh_token)).scope, "openid");
  });

  test("OC-6: an app role assigned after the sign-in adds no scope to its refreshed tokens", async () => {
    const { fixture, resource, api, membership } = await aClerk();
    const tokens = await fixture.flow({ scope, resource });
    const remover = await anAppRole(as.store, { resource_id: api.id, scopes: ["orders:delete"] });
    await updateRecord(context(), resourceOf("memberships"), membership.id, { app_role_ids: [remover.id] });
    assert.equal((await fixture.refresh(tokens.refresh_token)).scope, "openid orders:write");
    assert.equal((await fixture.flow({ scope, resource })).scope, "openid orders:write orders:delete");
  });

  test("OC-6: a user without an app role gets access_denied, and losing all app roles ends the refresh tokens", async () => {
    const { fixture, resource, membership, group } = await aClerk();
    const only = { scope: "orders:read orders:write", resource };
    const tokens = await fixture.flow(only);
    for (const [type, id] of [
      ["memberships", membership.id],
      ["groups", group.id],
    ] as const)
      await updateRecord(context(), resourceOf(type), id, { app_role_ids: [] });
    await assert.rejects(fixture.refresh(tokens.refresh_token), refusal("invalid_grant", /app roles/));
    const answer = redirected(await ask(as, fixture.who, authorizeParameters(fixture.app, only)));
    assert.equal(answer.get("error"), "access_denied");
  });

  test("OC-6: consent asks only for scopes that the user's app roles grant", async () => {
    const { fixture, resource } = await aClerk({ first_party: false });
    const outcome = await ask(as, fixture.who, authorizeParameters(fixture.app, { scope, resource }));
    assert.equal(outcome.type, "consent");
    assert.deepEqual(outcome.type === "consent" && outcome.scopes.map(({ name }) => name), [
      "openid",
      "orders:read",
      "orders:write",
    ]);
  });

  test("OC-6: without an organization or in another one, users get no scope of the API; a machine gets the app's scopes", async () => {
    const { fixture, resource } = await aClerk({
      organization_mode: "optional",
      allowed_grants: ["auth_code", "refresh", "client_credentials"],
    });
    assert.equal((await fixture.flow({ scope, resource })).scope, "openid");
    const other = await aMembership(as.store, { user_id: fixture.user.id });
    const there = { scope, resource, organization: other.organization_id };
    assert.equal((await fixture.flow(there)).scope, "openid");
    const machine = await fixture.clientCredentials({ scope: "orders:delete", resource });
    assert.equal(machine.scope, "orders:delete");
  });

  test("OC-6: a scope that two such APIs define requires an app role at each", () => {
    const one = { id: "1", role_bound: true, scopes: { a: null, b: null } };
    const two = { id: "2", role_bound: true, scopes: { b: null } };
    const open = { id: "3", role_bound: false, scopes: { a: null, c: null } };
    const member = (app_roles: readonly { resource_id: string; scopes: readonly string[] }[]) =>
      ({ app_roles: app_roles.map((role) => ({ name: "x", ...role })) }) as never;
    const app = { organization_mode: "auto" } as const;
    const left = (resources: readonly Pick<ApiResource, "id" | "scopes" | "role_bound">[], roles: never) =>
      scopesOfRoles(["openid", "roles", "a", "b", "c"], { resources, member: roles, app }).join(" ");
    const atOne = member([{ resource_id: "1", scopes: ["a", "b"] }]);
    assert.equal(left([one], atOne), "openid roles a b c");
    assert.equal(left([one, two], atOne), "openid roles a c");
    assert.equal(left([one, open], member([])), "openid roles c");
    assert.equal(left([open], member([])), "openid roles a b c");
    assert.equal(left([{ ...one, scopes: {} }], atOne), "openid roles a b");
  });

  test("OC-6: for any app roles, no scope of such an API is granted without a role, and none is added", () => {
    const word = fc.constantFrom<string>("a", "b", "c", "openid", "__proto__", "constructor");
    const words = fc.uniqueArray(word, { maxLength: 6 });
    fc.assert(
      fc.property(words, words, words, fc.boolean(), (requested, own, granted, role_bound) => {
        const scopes = Object.fromEntries(own.map((name) => [name, null]));
        const resources = [{ id: "1", role_bound, scopes }];
        const member = { app_roles: [{ resource_id: "1", name: "x", scopes: granted }] } as never;
        const app = { organization_mode: "auto" } as const;
        const left = scopesOfRoles(requested, { resources, member, app });
        const isRight = (name: string) =>
          !role_bound ||
          granted.includes(name) ||
          (own.length === 0 ? name === "openid" : !own.includes(name));
        assert.deepEqual(left, requested.filter(isRight));
      }),
    );
    assert.ok(membershipScopes.length > 0);
  });
});
