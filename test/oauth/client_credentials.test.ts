import assert from "node:assert/strict";
import { test } from "node:test";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import { managementScopes, manageScope } from "../../src/records/definition/permissions.ts";
import { introspectionScope } from "../../src/records/names/names.ts";
import { issuer, serverOn } from "../support/authorization_server.ts";
import { describeInForm } from "../support/databases.ts";
import { ask, authorizeParameters, origin, redirected } from "../support/flows.ts";
import { listed } from "../support/listed.ts";
import { aClientFixture, claimsOf, refusal, rejected } from "./client_fixture.ts";

describeInForm("the client credentials grant", (database) => {
  const scenario = serverOn(database);

  const machine = (overrides: Partial<OAuthApp> = {}) =>
    aClientFixture(scenario, {
      app_type: "machine",
      allowed_grants: ["client_credentials"],
      allowed_scopes: ["orders:read", "orders:write", "openid", "offline_access", "token:introspect"],
      ...overrides,
    });

  test("T-13: the response contains no refresh token, no id_token and no user", async () => {
    const fixture = await machine({ allowed_grants: ["client_credentials", "refresh", "auth_code"] });
    const answer = await fixture.clientCredentials({ scope: "orders:write orders:read orders:write" });
    assert.ok(!("refresh_token" in answer) && !("id_token" in answer));
    assert.equal(answer.scope, "orders:write orders:read");
    const row = await fixture.rowOf(answer.access_token);
    assert.deepEqual(
      [
        row.user_id,
        row.service_account_id,
        row.session_id,
        row.refresh_token_signature,
        row.refresh_expires_at,
      ],
      [null, null, null, null, null],
    );
    assert.deepEqual([row.client_ip, row.user_agent], [origin.client_ip, origin.user_agent]);
    assert.deepEqual(row.audience, [issuer]);
    assert.deepEqual(JSON.parse(row.request_data ?? ""), {
      grant_type: "client_credentials",
      scope: "orders:write orders:read",
    });
  });

  test("T-13: only scopes allowed to the app are granted, and never scopes reserved for this server", async () => {
    const fixture = await machine();
    const wrong = [
      ...listed`orders:delete ORDERS:READ token:introspect openid offline_access`,
      "orders:read orders:delete",
    ];
    for (const scope of wrong) {
      await assert.rejects(fixture.clientCredentials({ scope }), refusal("invalid_scope"), scope);
    }
    await rejected(fixture.clientCredentials({ scope: " " }), "invalid_scope", /scope is missing/);
    assert.equal(await scenario.store.count("oauth_tokens", { app_id: fixture.app.id }), 0);
  });

  test("S-7: without scope, the app gets all its allowed scopes except those for users and for this server", async () => {
    const scopeOf = async (overrides: Partial<OAuthApp>, scope: string | undefined) => {
      const fixture = await machine(overrides);
      const answer = await fixture.clientCredentials({ scope });
      assert.equal(claimsOf(answer.access_token).scope, answer.scope);
      return answer.scope;
    };
    for (const scope of [undefined, ""]) assert.equal(await scopeOf({}, scope), "orders:read orders:write");
    const allowed_scopes = listed`orders:read orders:write postern:apps:read openid token:introspect`;
    assert.equal(await scopeOf({ allowed_scopes }, undefined), "orders:read orders:write");
    const named = (default_scopes: unknown) => ({ allowed_scopes, default_scopes }) as never;
    assert.equal(await scopeOf(named(["orders:write"]), undefined), "orders:write");
    assert.equal(await scopeOf(named(["orders:write"]), "orders:read"), "orders:read");
    const wide = ["postern:apps:read", "orders:delete", "openid", "token:introspect", "postern:apps:read"];
    assert.equal(await scopeOf(named(wide), undefined), "postern:apps:read");
  });

  test("S-7: without scope, an app for which no scope remains gets invalid_scope", async () => {
    for (const overrides of [
      { allowed_scopes: [] },
      { allowed_scopes: ["openid", "offline_access", "token:introspect", "postern:manage"] },
      { default_scopes: [] },
      { default_scopes: ["orders:delete", "openid"] },
    ]) {
      const fixture = await machine(overrides);
      await rejected(fixture.clientCredentials({ scope: undefined }), "invalid_scope", /no default scopes/);
    }
  });

  test("design 6.13: sub is the app's id, also in introspection, and there is no username", async () => {
    const fixture = await machine();
    const { access_token } = await fixture.clientCredentials();
    assert.equal(claimsOf(access_token).sub, fixture.app.id);
    assert.notEqual(fixture.app.id, fixture.app.client_id);
    const answer = await fixture.introspect(access_token);
    assert.equal((answer as { sub: string }).sub, fixture.app.id);
    assert.ok(!("username" in answer));
  });

  test("RFC 8707: the audience is the requested resource, if it is among the app's resources", async () => {
    const [orders, bills] = ["https://orders.example/", "https://bills.example/"];
    const fixture = await machine({ metadata: { resources: [orders, bills] } });
    assert.equal(claimsOf((await fixture.clientCredentials({ resource: orders })).access_token).aud, orders);
    const both = await fixture.clientCredentials({ resource: [orders, bills, orders] });
    assert.deepEqual(claimsOf(both.access_token).aud, [orders, bills]);
    assert.deepEqual((await fixture.rowOf(both.access_token)).audience, [orders, bills]);
    for (const resource of [
      "https://other.example/",
      "https://orders.example/x",
      "orders",
      `${orders}#x`,
      issuer,
    ]) {
      await assert.rejects(fixture.clientCredentials({ resource }), refusal("invalid_target"), resource);
    }
  });
});

const users = "postern:users:read";
const allowed_scopes = ["openid", "orders:read", users, manageScope, introspectionScope];

describeInForm("scopes of the management API", (database) => {
  const scenario = serverOn(database);

  test("design 6.7: an app gets a management scope in a user's token after the user consented to it by name", async () => {
    const fixture = await aClientFixture(scenario, { allowed_scopes });
    const requested = await ask(
      scenario,
      fixture.who,
      authorizeParameters(fixture.app, { scope: `openid ${users}` }),
    );
    assert.ok(requested.type === "consent");
    assert.deepEqual(requested.scopes, [
      { name: "openid", already_granted: false },
      { name: users, already_granted: false },
    ]);
    const tokens = await fixture.flow({ scope: `openid ${users}` });
    assert.equal(claimsOf(tokens.access_token).scope, `openid ${users}`);
    const next = await fixture.refresh(tokens.refresh_token);
    assert.equal(next.scope, `openid ${users}`);
    assert.equal((await fixture.refresh(next.refresh_token, { scope: "openid" })).scope, "openid");
  });

  test("design 6.7: a management scope that allows more requires a new consent", async () => {
    const fixture = await aClientFixture(scenario, { allowed_scopes });
    await fixture.flow({ scope: `openid ${users}` });
    const again = await ask(
      scenario,
      fixture.who,
      authorizeParameters(fixture.app, { scope: `openid ${manageScope}` }),
    );
    assert.equal(again.type, "consent");
  });

  test("design 6.7: client credentials get a management scope only if it is allowed and requested", async () => {
    const fixture = await aClientFixture(scenario, {
      app_type: "machine",
      allowed_grants: ["client_credentials"],
      allowed_scopes: [...managementScopes, introspectionScope],
    });
    for (const scope of managementScopes)
      assert.equal((await fixture.clientCredentials({ scope })).scope, scope);
    await rejected(fixture.clientCredentials({ scope: undefined }), "invalid_scope", /scope is missing/);
  });

  test("design 6.7: a scope that was not granted or does not exist, and token:introspect, are never issued", async () => {
    const overrides = [...allowed_scopes, "postern:everything", "token:anything"];
    const fixture = await aClientFixture(scenario, {
      allowed_scopes: overrides,
      allowed_grants: ["auth_code", "client_credentials"],
    });
    for (const scope of ["postern:apps:write", "postern:everything", "token:anything", introspectionScope]) {
      await assert.rejects(fixture.clientCredentials({ scope }), refusal("invalid_scope"), scope);
      const parameters = authorizeParameters(fixture.app, { scope: `openid ${scope}` });
      const answer = redirected(await ask(scenario, fixture.who, parameters));
      assert.equal(answer.get("error"), "invalid_scope", scope);
    }
  });
});
