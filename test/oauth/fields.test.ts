/** Spec section 2: every field of the records that the protocol reads or writes means something. */
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
import { aParty, claimsOf, type Party, rejected } from "./party.ts";

describeInForm("the fields of the records", (database) => {
  const stage = serverOn(database);

  const change = (party: Party, changes: Partial<OAuthApp>) =>
    stage.store.update("oauth_apps", { id: party.app.id }, changes);
  const requested = (party: Party, given: Parameters = {}) =>
    ask(stage, party.who, authorizeParameters(party.app, given));
  /** The error of the redirect that answers an authorization request. */
  const errorOf = async (party: Party, given: Parameters = {}) =>
    redirected(await requested(party, given)).get("error");

  const endings: Readonly<Record<string, (party: Party) => Promise<unknown>>> = {
    "2.2 Organization.active: an organization that is switched off": ({ app }) =>
      deactivate(stage.store, "organizations", String(app.organization_id), stage.clock.now()),
    "2.6 OAuthApp.active: an app that is switched off": ({ app }) =>
      deactivate(stage.store, "oauth_apps", app.id, stage.clock.now()),
    "2.6 OAuthApp.revoked_at: a revoked app, although it is active,": async ({ app: { id } }) => {
      await revokeApp(stage.store, id, stage.clock.now());
      const app = await stage.store.find("oauth_apps", { id });
      assert.deepEqual([app?.active, app?.revoked_at], [true, stage.clock.now()]);
    },
  };
  for (const [what, end] of Object.entries(endings))
    test(`${what} stops everything at once (C-12)`, async () => {
      const organization = await anOrganization(stage.store, { created_at: stage.clock.now() });
      const party = await aParty(stage, { organization_id: organization.id });
      const { access_token, refresh_token } = await party.flow();
      await end(party);
      await rejected(requested(party), "invalid_request", /not active/);
      await rejected(party.refresh(refresh_token), "invalid_client");
      await rejected(party.clientCredentials(), "invalid_client");
      await rejected(party.introspect(access_token), "invalid_client");
      const before = stage.events.length;
      await party.revoke(access_token);
      const reported = stage.events.slice(before).find(({ type }) => type === "revocation_failed");
      assert.equal(reported?.details?.error, "invalid_client");
      stage.clock.advance(1);
    });

  test("2.6 OAuthApp.allowed_grants: holds at the authorization endpoint and at the token endpoint", async () => {
    const party = await aParty(stage);
    const code = await party.code();
    const { refresh_token } = await party.flow();
    await change(party, { allowed_grants: ["client_credentials"] });
    assert.equal(await errorOf(party), "unauthorized_client");
    await rejected(party.exchange(code), "unauthorized_client");
    await rejected(party.refresh(refresh_token), "unauthorized_client");
    assert.ok(await party.clientCredentials());
    await change(party, { allowed_grants: ["auth_code"] });
    await rejected(party.clientCredentials(), "unauthorized_client");
    assert.ok(!("refresh_token" in (await party.exchange(code))));
  });

  test("2.6 OAuthApp.first_party: only where it is true is consent skipped", async () => {
    const own = await aParty(stage, { first_party: true });
    assert.equal((await requested(own)).type, "redirect");
    const foreign = await aParty(stage);
    assert.equal((await requested(foreign)).type, "consent");
    const code = await own.code();
    await change(own, { first_party: false });
    await rejected(own.exchange(code), "invalid_grant", /consent/);
  });

  test("2.6 OAuthApp.access_token_ttl and refresh_token_ttl: a change holds for the next token", async () => {
    const party = await aParty(stage, { access_token_ttl: 60, refresh_token_ttl: 120 });
    const first = await party.flow();
    assert.equal(first.expires_in, 60);
    await change(party, { access_token_ttl: 30, refresh_token_ttl: 40 });
    const second = await party.refresh(first.refresh_token);
    const row = await party.rowOf(second.access_token);
    assert.equal(second.expires_in, 30);
    assert.deepEqual(row.refresh_expires_at, later(40, row.created_at));
    const { exp, iat } = claimsOf(second.access_token);
    assert.deepEqual([Number(exp) - Number(iat), row.access_expires_at], [30, new Date(Number(exp) * 1000)]);
  });

  test("2.6 OAuthApp.metadata: refresh_reuse_window is read, APIs are records, anything else is left alone", async () => {
    const resource = "https://orders.example/";
    const party = await aParty(stage, {
      metadata: { color: "blue", resources: "not a list", nested: { resource } },
    });
    assert.equal(await errorOf(party, { resource }), "invalid_target");
    await aResource(stage.store, { identifier: resource, who_may_ask: "listed" });
    await change(party, { resources: [resource], metadata: { refresh_reuse_window: 5 } });
    const first = await party.flow({ resource });
    assert.equal(claimsOf(first.access_token).aud, resource);
    const second = await party.refresh(first.refresh_token);
    assert.deepEqual(await party.refresh(first.refresh_token), second);
    const api = await aParty(stage, { metadata: { resource } });
    assert.equal(await api.isActive(second.access_token), true);
    await stage.store.update("resources", { identifier: resource }, { app_ids: [] });
    assert.equal(await api.isActive(second.access_token), false);
  });

  test("2.8 OAuthToken: the row of a user's token says truly what was issued", async () => {
    const resources = ["https://orders.example/", "https://bills.example/"];
    const party = await aParty(stage, { metadata: { resources } });
    const code = await party.code({ scope: "openid orders:read", resource: resources });
    const { access_token } = await party.exchange(code, { resource: resources[0] });
    const row = await party.rowOf(access_token);
    const [codeRow] = await stage.store.list("oauth_auth_codes", { user_id: party.user.id });
    const { access_token_signature, refresh_token_signature, request_data, ...rest } = row;
    const now = stage.clock.now();
    assert.deepEqual(rest, {
      id: claimsOf(access_token).jti,
      app_id: party.app.id,
      user_id: party.user.id,
      service_account_id: null,
      family_id: codeRow?.id,
      scopes: ["openid", "orders:read"],
      audience: [resources[0]],
      session_id: party.who.session.id,
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
      auth_time: Math.floor(party.who.session.authenticated_at.getTime() / 1000),
      acr: party.who.session.acr,
      amr: ["pwd"],
    });
  });

  test("2.8 OAuthToken: the row of a refresh names its own grant and keeps family, session and authorization", async () => {
    const party = await aParty(stage);
    const first = await party.flow({ scope: "openid orders:read" });
    const from = { client_ip: "198.51.100.7", user_agent: "another", request_id: "r-2" };
    const { refresh_token } = first;
    const request = endpointRequest(
      { grant_type: "refresh_token", refresh_token, scope: "orders:read" },
      party.authorization,
    );
    const second = await token({ ...request, origin: from }, stage.server);
    const [before, after] = [await party.rowOf(first.access_token), await party.rowOf(second.access_token)];
    for (const field of ["app_id", "user_id", "family_id", "session_id", "audience"] as const) {
      assert.deepEqual(after[field], before[field], field);
    }
    assert.deepEqual([after.client_ip, after.user_agent], [from.client_ip, from.user_agent]);
    assert.deepEqual(after.scopes, ["orders:read"]);
    const data = JSON.parse(after.request_data ?? "");
    assert.deepEqual([data.grant_type, data.scope], ["refresh_token", "openid orders:read"]);
  });

  test("2.8 OAuthToken.last_used_at: an introspection is a use, noted to the minute", async () => {
    const party = await aParty(stage);
    const { access_token } = await party.flow();
    const read = async () => (await party.rowOf(access_token)).last_used_at;
    await party.introspect(access_token);
    const used = stage.clock.now();
    await stage.store.flushUses();
    assert.deepEqual(await read(), used);
    stage.clock.advance(30);
    await party.introspect(access_token);
    await stage.store.flushUses();
    assert.deepEqual(await read(), used);
    stage.clock.advance(31);
    await party.introspect(access_token);
    await stage.store.flushUses();
    assert.deepEqual(await read(), stage.clock.now());
    const stranger = await aParty(stage);
    stage.clock.advance(100);
    await stranger.introspect(access_token);
    await stage.store.flushUses();
    assert.deepEqual(await read(), later(-100, stage.clock.now()), "who may not see it does not use it");
  });

  test("2.8 OAuthToken.last_used_at: a refresh token that is kept says when it was used", async () => {
    const party = await aParty(stage, { refresh_token_rotation: false });
    const { access_token, refresh_token } = await party.flow();
    stage.clock.advance(7);
    await party.refresh(refresh_token);
    assert.deepEqual((await party.rowOf(access_token)).last_used_at, stage.clock.now());
  });

  test("2.9 OAuthAuthCode.used_at: the row says when it was exchanged", async () => {
    const party = await aParty(stage);
    const code = await party.code();
    const read = async () => (await stage.store.list("oauth_auth_codes", { user_id: party.user.id }))[0];
    stage.clock.advance(3);
    await party.exchange(code);
    const used = await read();
    assert.deepEqual([used?.used, used?.used_at], [true, stage.clock.now()]);
  });
});
