/** Spec section 2: every field that the protocol reads or writes has an effect. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { token } from "../../src/oauth/token/token.ts";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import { serverOn } from "../support/authorization_server.ts";
import { anOrganization, aResource, later } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import { deactivate, revokeApp } from "../support/endings.ts";
import {
  ask,
  authorizeParameters,
  endpointRequest,
  origin,
  type Parameters,
  redirected,
} from "../support/flows.ts";
import { aClientFixture, type ClientFixture, claimsOf, rejected } from "./client_fixture.ts";

describeInForm("the effect of each field of the records", (database) => {
  const scenario = serverOn(database);

  const change = (fixture: ClientFixture, changes: Partial<OAuthApp>) =>
    scenario.store.update("oauth_apps", { id: fixture.app.id }, changes);
  const requested = (fixture: ClientFixture, overrides: Parameters = {}) =>
    ask(scenario, fixture.who, authorizeParameters(fixture.app, overrides));
  /** Returns the error of the redirect that answers an authorization request. */
  const errorOf = async (fixture: ClientFixture, overrides: Parameters = {}) =>
    redirected(await requested(fixture, overrides)).get("error");

  const endings: Readonly<Record<string, (fixture: ClientFixture) => Promise<unknown>>> = {
    "2.2 Organization.active: an organization that is switched off": ({ app }) =>
      deactivate(scenario.store, "organizations", String(app.organization_id), scenario.clock.now()),
    "2.6 OAuthApp.active: an app that is switched off": ({ app }) =>
      deactivate(scenario.store, "oauth_apps", app.id, scenario.clock.now()),
    "2.6 OAuthApp.revoked_at: a revoked app, although it is active,": async ({ app: { id } }) => {
      await revokeApp(scenario.store, id, scenario.clock.now());
      const app = await scenario.store.find("oauth_apps", { id });
      assert.deepEqual([app?.active, app?.revoked_at], [true, scenario.clock.now()]);
    },
  };
  for (const [what, end] of Object.entries(endings))
    test(`${what} stops all requests and tokens immediately (C-12)`, async () => {
      const organization = await anOrganization(scenario.store, { created_at: scenario.clock.now() });
      const fixture = await aClientFixture(scenario, { organization_id: organization.id });
      const { access_token, refresh_token } = await fixture.flow();
      await end(fixture);
      await rejected(requested(fixture), "invalid_request", /not active/);
      await rejected(fixture.refresh(refresh_token), "invalid_client");
      await rejected(fixture.clientCredentials(), "invalid_client");
      await rejected(fixture.introspect(access_token), "invalid_client");
      const before = scenario.events.length;
      await fixture.revoke(access_token);
      const reported = scenario.events.slice(before).find(({ type }) => type === "revocation_failed");
      assert.equal(reported?.details?.error, "invalid_client");
      scenario.clock.advance(1);
    });

  test("2.6 OAuthApp.allowed_grants: a grant that is not listed is refused at both endpoints", async () => {
    const fixture = await aClientFixture(scenario);
    const code = await fixture.code();
    const { refresh_token } = await fixture.flow();
    await change(fixture, { allowed_grants: ["client_credentials"] });
    assert.equal(await errorOf(fixture), "unauthorized_client");
    await rejected(fixture.exchange(code), "unauthorized_client");
    await rejected(fixture.refresh(refresh_token), "unauthorized_client");
    assert.ok(await fixture.clientCredentials());
    await change(fixture, { allowed_grants: ["auth_code"] });
    await rejected(fixture.clientCredentials(), "unauthorized_client");
    assert.ok(!("refresh_token" in (await fixture.exchange(code))));
  });

  test("2.6 OAuthApp.first_party: consent is skipped only if the value is true", async () => {
    const own = await aClientFixture(scenario, { first_party: true });
    assert.equal((await requested(own)).type, "redirect");
    const foreign = await aClientFixture(scenario);
    assert.equal((await requested(foreign)).type, "consent");
    const code = await own.code();
    await change(own, { first_party: false });
    await rejected(own.exchange(code), "invalid_grant", /consent/);
  });

  test("2.6 OAuthApp.access_token_ttl and refresh_token_ttl: a change applies from the next token on", async () => {
    const fixture = await aClientFixture(scenario, { access_token_ttl: 60, refresh_token_ttl: 120 });
    const first = await fixture.flow();
    assert.equal(first.expires_in, 60);
    await change(fixture, { access_token_ttl: 30, refresh_token_ttl: 40 });
    const second = await fixture.refresh(first.refresh_token);
    const row = await fixture.rowOf(second.access_token);
    assert.equal(second.expires_in, 30);
    assert.deepEqual(row.refresh_expires_at, later(40, row.created_at));
    const { exp, iat } = claimsOf(second.access_token);
    assert.deepEqual([Number(exp) - Number(iat), row.access_expires_at], [30, new Date(Number(exp) * 1000)]);
  });

  test("2.6 OAuthApp.metadata: refresh_reuse_window has an effect, APIs become records, and anything else has none", async () => {
    const resource = "https://orders.example/";
    const fixture = await aClientFixture(scenario, {
      metadata: { color: "blue", resources: "not a list", nested: { resource } },
    });
    assert.equal(await errorOf(fixture, { resource }), "invalid_target");
    await aResource(scenario.store, { identifier: resource, who_may_ask: "listed" });
    await change(fixture, { resources: [resource], metadata: { refresh_reuse_window: 5 } });
    const first = await fixture.flow({ resource });
    assert.equal(claimsOf(first.access_token).aud, resource);
    const second = await fixture.refresh(first.refresh_token);
    assert.deepEqual(await fixture.refresh(first.refresh_token), second);
    const api = await aClientFixture(scenario, { metadata: { resource } });
    assert.equal(await api.isActive(second.access_token), true);
    await scenario.store.update("resources", { identifier: resource }, { app_ids: [] });
    assert.equal(await api.isActive(second.access_token), false);
  });

  test("2.8 OAuthToken: the stored row of a user's token has the values of the issued token", async () => {
    const resources = ["https://orders.example/", "https://bills.example/"];
    const fixture = await aClientFixture(scenario, { metadata: { resources } });
    const code = await fixture.code({ scope: "openid orders:read", resource: resources });
    const { access_token } = await fixture.exchange(code, { resource: resources[0] });
    const row = await fixture.rowOf(access_token);
    const [codeRow] = await scenario.store.list("oauth_auth_codes", { user_id: fixture.user.id });
    const { access_token_signature, refresh_token_signature, request_data, ...rest } = row;
    const now = scenario.clock.now();
    assert.deepEqual(rest, {
      id: claimsOf(access_token).jti,
      app_id: fixture.app.id,
      user_id: fixture.user.id,
      service_account_id: null,
      membership_id: null,
      family_id: codeRow?.id,
      scopes: ["openid", "orders:read"],
      audience: [resources[0]],
      session_id: fixture.who.session.id,
      access_expires_at: new Date((Math.floor(now.getTime() / 1000) + 900) * 1000),
      refresh_expires_at: later(604_800, now),
      revoked: false,
      revoked_at: null,
      revoked_reason: null,
      client_ip: origin.client_ip,
      user_agent: origin.user_agent,
      cnf: null,
      last_used_at: null,
      created_at: now,
      rotated_at: null,
    });
    assert.equal(access_token_signature.length, 32);
    assert.equal(refresh_token_signature?.length, 32);
    assert.deepEqual(JSON.parse(request_data ?? ""), {
      grant_type: "authorization_code",
      scope: "openid orders:read",
      audience: resources,
      audience_source: "asked",
      auth_time: Math.floor(fixture.who.session.authenticated_at.getTime() / 1000),
      acr: fixture.who.session.acr,
      amr: ["pwd"],
    });
  });

  test("2.8 OAuthToken: the row of a refreshed token names its own grant, and keeps family, session and authorization", async () => {
    const fixture = await aClientFixture(scenario);
    const first = await fixture.flow({ scope: "openid orders:read" });
    const from = { client_ip: "198.51.100.7", user_agent: "another", request_id: "r-2" };
    const { refresh_token } = first;
    const request = endpointRequest(
      { grant_type: "refresh_token", refresh_token, scope: "orders:read" },
      fixture.authorization,
    );
    const second = await token({ ...request, origin: from }, scenario.server);
    const [before, after] = [
      await fixture.rowOf(first.access_token),
      await fixture.rowOf(second.access_token),
    ];
    for (const field of ["app_id", "user_id", "family_id", "session_id", "audience"] as const) {
      assert.deepEqual(after[field], before[field], field);
    }
    assert.deepEqual([after.client_ip, after.user_agent], [from.client_ip, from.user_agent]);
    assert.deepEqual(after.scopes, ["orders:read"]);
    const data = JSON.parse(after.request_data ?? "");
    assert.deepEqual([data.grant_type, data.scope], ["refresh_token", "openid orders:read"]);
  });

  test("2.8 OAuthToken.last_used_at: an introspection is stored as a use, to the minute", async () => {
    const fixture = await aClientFixture(scenario);
    const { access_token } = await fixture.flow();
    const read = async () => (await fixture.rowOf(access_token)).last_used_at;
    await fixture.introspect(access_token);
    const used = scenario.clock.now();
    await scenario.store.flushUses();
    assert.deepEqual(await read(), used);
    scenario.clock.advance(30);
    await fixture.introspect(access_token);
    await scenario.store.flushUses();
    assert.deepEqual(await read(), used);
    scenario.clock.advance(31);
    await fixture.introspect(access_token);
    await scenario.store.flushUses();
    assert.deepEqual(await read(), scenario.clock.now());
    const stranger = await aClientFixture(scenario);
    scenario.clock.advance(100);
    await stranger.introspect(access_token);
    await scenario.store.flushUses();
    assert.deepEqual(await read(), later(-100, scenario.clock.now()), "who may not see it does not use it");
  });

  test("2.8 OAuthToken.last_used_at: the use of a refresh token that does not rotate is stored", async () => {
    const fixture = await aClientFixture(scenario, { refresh_token_rotation: false });
    const { access_token, refresh_token } = await fixture.flow();
    scenario.clock.advance(7);
    await fixture.refresh(refresh_token);
    assert.deepEqual((await fixture.rowOf(access_token)).last_used_at, scenario.clock.now());
  });

  test("2.9 OAuthAuthCode.used_at: the time at which a code was redeemed is stored", async () => {
    const fixture = await aClientFixture(scenario);
    const code = await fixture.code();
    const read = async () => (await scenario.store.list("oauth_auth_codes", { user_id: fixture.user.id }))[0];
    scenario.clock.advance(3);
    await fixture.exchange(code);
    const used = await read();
    assert.deepEqual([used?.used, used?.used_at], [true, scenario.clock.now()]);
  });
});
