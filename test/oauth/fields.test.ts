/** Spec section 2: every field of the records that the protocol reads or writes means something. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { token } from "../../src/oauth/token/token.ts";
import type { OAuthApp } from "../../src/records/definition.ts";
import { issuer, serverOn } from "../support/authorization_server.ts";
import { anOrganization, aResource, aSecret, later } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import { deactivate, reactivate, revokeApp, withdrawConsent } from "../support/endings.ts";
import {
  ask,
  authorizeParameters,
  basic,
  challenge,
  endpointRequest,
  origin,
  type Parameters,
  redirected,
  signedIn,
} from "../support/flows.ts";
import { aParty, claimsOf, type Party, partyOf, refusal, rejected } from "./party.ts";

describeInForm("the fields of the records", (database) => {
  const stage = serverOn(database);

  const change = (party: Party, changes: Partial<OAuthApp>) =>
    stage.store.update("oauth_apps", { id: party.app.id }, changes);
  const asked = (party: Party, given: Parameters = {}) =>
    ask(stage, party.who, authorizeParameters(party.app, given));
  /** The error of the redirect that answers an authorization request. */
  const errorOf = async (party: Party, given: Parameters = {}) =>
    redirected(await asked(party, given)).get("error");

  /** A client that is dead is dead at every endpoint (C-12). */
  async function actsNowhere(party: Party, access_token: string, refresh_token: string): Promise<void> {
    await rejected(asked(party), "invalid_request", /not active/);
    await rejected(party.refresh(refresh_token), "invalid_client");
    await rejected(party.clientCredentials(), "invalid_client");
    await rejected(party.introspect(access_token), "invalid_client");
    const before = stage.events.length;
    await party.revoke(access_token);
    const told = stage.events.slice(before).find(({ type }) => type === "revocation_failed");
    assert.equal(told?.details?.error, "invalid_client");
  }

  test("2.2 Organization.active: an organization that is switched off stops its apps everywhere, at once", async () => {
    const organization = await anOrganization(stage.store, { created_at: stage.clock.now() });
    const party = await aParty(stage, { organization_id: organization.id });
    const { access_token, refresh_token } = await party.flow();
    await deactivate(stage.store, "organizations", organization.id, stage.clock.now());
    await actsNowhere(party, access_token, refresh_token);
  });

  test("2.6 OAuthApp.active: an app that is switched off acts nowhere, and again once it is switched on", async () => {
    const party = await aParty(stage);
    const { access_token, refresh_token } = await party.flow();
    await deactivate(stage.store, "oauth_apps", party.app.id, stage.clock.now());
    await actsNowhere(party, access_token, refresh_token);
    await reactivate(stage.store, "oauth_apps", party.app.id, stage.clock.now());
    stage.clock.advance(1);
    assert.ok(await partyOf({ ...party, who: await signedIn(stage, party.user) }).flow());
  });

  test("2.6 OAuthApp.revoked_at: a revoked app acts nowhere although it is active", async () => {
    const party = await aParty(stage);
    const { access_token, refresh_token } = await party.flow();
    await revokeApp(stage.store, party.app.id, stage.clock.now());
    const app = await stage.store.find("oauth_apps", { id: party.app.id });
    assert.deepEqual([app?.active, app?.revoked_at], [true, stage.clock.now()]);
    await actsNowhere(party, access_token, refresh_token);
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

  test("2.6 OAuthApp.allowed_response_types: without code there is no code", async () => {
    const party = await aParty(stage, { allowed_response_types: [] });
    assert.equal(await errorOf(party), "unauthorized_client");
    await change(party, { allowed_response_types: ["code"] });
    assert.ok(await party.code());
  });

  test("2.6 OAuthApp.allowed_scopes: what is not in it is refused", async () => {
    const party = await aParty(stage, {
      allowed_scopes: ["openid"],
      allowed_grants: ["auth_code", "client_credentials"],
    });
    assert.equal(await errorOf(party, { scope: "openid orders:read" }), "invalid_scope");
    await rejected(party.clientCredentials({ scope: "orders:read" }), "invalid_scope");
    await change(party, { allowed_scopes: ["openid", "orders:read"] });
    assert.ok(await party.code({ scope: "openid orders:read" }));
    assert.ok(await party.clientCredentials({ scope: "orders:read" }));
  });

  test("2.6 OAuthApp.redirect_uris: a change holds for the next request", async () => {
    const party = await aParty(stage);
    const redirect_uri = "https://app.example/new";
    await rejected(asked(party, { redirect_uri }), "invalid_request", /redirect_uri/);
    await change(party, { redirect_uris: [redirect_uri] });
    assert.ok(await party.code({ redirect_uri }));
    await rejected(asked(party), "invalid_request", /redirect_uri/);
  });

  test("2.6 OAuthApp.public: a public app has no secret, needs PKCE, and may not introspect", async () => {
    const party = await aParty(stage, { public: true });
    const withoutChallenge = { code_challenge: undefined, code_challenge_method: undefined };
    assert.equal(await errorOf(party, withoutChallenge), "invalid_request");
    const value = "secret for nobody";
    const { passwords } = stage.server;
    await aSecret(stage.store, {
      app_id: party.app.id,
      secret_hash: await passwords.hash(value),
      secret_prefix: "secr",
    });
    const withSecret = partyOf({ ...party, authorization: basic(party.app.client_id, value) });
    const code = await party.code();
    await rejected(withSecret.exchange(code), "invalid_client");
    const { access_token } = await party.exchange(code);
    await rejected(withSecret.introspect(access_token), "invalid_client");
    await rejected(party.introspect(access_token), "invalid_client");
    await change(party, { public: false });
    await rejected(party.exchange(await party.code()), "invalid_client");
    assert.equal(await withSecret.isActive(access_token), true);
  });

  test("2.6 OAuthApp.first_party: only where it is true is consent skipped", async () => {
    const own = await aParty(stage, { first_party: true });
    assert.equal((await asked(own)).type, "redirect");
    const foreign = await aParty(stage);
    assert.equal((await asked(foreign)).type, "consent");
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

  test("2.6 OAuthApp.refresh_token_rotation: decides whether a refresh token is replaced", async () => {
    for (const refresh_token_rotation of [true, false]) {
      const party = await aParty(stage, { refresh_token_rotation });
      const first = await party.flow();
      const { refresh_token } = await party.refresh(first.refresh_token);
      assert.equal(refresh_token !== "", refresh_token_rotation);
      assert.equal(await party.isActive(first.refresh_token), !refresh_token_rotation);
    }
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

  test("2.7 OAuthAppSecret.expires_at, revoked: only a live secret proves its client, and several may live", async () => {
    const party = await aParty(stage, { allowed_grants: ["client_credentials"] });
    const { passwords } = stage.server;
    const values = ["secret one", "secret two", "secret three"];
    const now = stage.clock.now();
    const made = [];
    for (const [index, value] of values.entries()) {
      made.push(
        await aSecret(stage.store, {
          app_id: party.app.id,
          secret_hash: await passwords.hash(value),
          secret_prefix: "secr",
          expires_at: index === 1 ? later(10, now) : null,
        }),
      );
    }
    const proves = async (value: string) => {
      const request = endpointRequest(
        { grant_type: "client_credentials", scope: "orders:read" },
        basic(party.app.client_id, value),
      );
      return token(request, stage.server).then(
        () => true,
        (error: unknown) => !refusal("invalid_client")(error),
      );
    };
    for (const value of values) assert.equal(await proves(value), true, value);
    stage.clock.advance(10);
    assert.deepEqual(await Promise.all(values.map(proves)), [true, false, true]);
    const id = made[2]?.id ?? "";
    await stage.store.update("oauth_app_secrets", { id }, { revoked: true, revoked_at: stage.clock.now() });
    assert.deepEqual(await Promise.all(values.map(proves)), [true, false, false]);
    assert.equal(await proves("secr"), false, "the visible prefix proves nothing");
  });

  test("2.7 OAuthAppSecret.last_used_at: says when the secret was used, without a write for each request", async () => {
    const party = await aParty(stage, { allowed_grants: ["client_credentials"] });
    const read = async () =>
      (await stage.store.find("oauth_app_secrets", { app_id: party.app.id }))?.last_used_at;
    await party.clientCredentials();
    assert.equal(await read(), null);
    stage.clock.advance(1);
    await party.clientCredentials();
    await stage.store.flushUses();
    assert.deepEqual(await read(), stage.clock.now());
    const wrong = endpointRequest(
      { grant_type: "client_credentials" },
      basic(party.app.client_id, "secr wrong"),
    );
    stage.clock.advance(1);
    await rejected(token(wrong, stage.server), "invalid_client");
    await stage.store.flushUses();
    assert.deepEqual(await read(), later(-1, stage.clock.now()));
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

  test("2.8 OAuthToken: the row of a client's own token has no user, session or refresh half", async () => {
    const party = await aParty(stage, { allowed_grants: ["client_credentials"] });
    const row = await party.rowOf((await party.clientCredentials()).access_token);
    assert.deepEqual(
      [row.user_id, row.session_id, row.refresh_token_signature, row.refresh_expires_at, row.audience],
      [null, null, null, null, [issuer]],
    );
    assert.deepEqual(JSON.parse(row.request_data ?? ""), {
      grant_type: "client_credentials",
      scope: "orders:read",
    });
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

  test("2.9 OAuthAuthCode: the row says truly what was asked, and when it was exchanged", async () => {
    const party = await aParty(stage);
    const code = await party.code({ scope: "openid profile", state: "the state", nonce: "the nonce" });
    const made = stage.clock.now();
    const read = async () => (await stage.store.list("oauth_auth_codes", { user_id: party.user.id }))[0];
    const { id, code_signature, request_data, ...rest } = (await read()) ?? assert.fail("no code");
    assert.deepEqual(rest, {
      app_id: party.app.id,
      user_id: party.user.id,
      code_challenge: challenge,
      code_challenge_method: "S256",
      redirect_uri: party.app.redirect_uris[0],
      scopes: ["openid", "profile"],
      state: "the state",
      nonce: "the nonce",
      expires_at: later(60, made),
      used: false,
      used_at: null,
      client_ip: origin.client_ip,
      dpop_jkt: null,
      user_agent: origin.user_agent,
      created_at: made,
    });
    assert.ok(id && code_signature.length === 32 && request_data);
    stage.clock.advance(3);
    await party.exchange(code);
    const used = await read();
    assert.deepEqual([used?.used, used?.used_at], [true, stage.clock.now()]);
  });

  test("2.9 OAuthAuthCode: a code without PKCE has neither challenge nor method", async () => {
    const party = await aParty(stage);
    await party.code({ code_challenge: undefined, code_challenge_method: undefined, state: undefined });
    const [row] = await stage.store.list("oauth_auth_codes", { user_id: party.user.id });
    assert.deepEqual(
      [row?.code_challenge, row?.code_challenge_method, row?.state, row?.nonce],
      [null, null, null, null],
    );
  });

  test("2.10 OAuthConsent.granted, revoked: only a consent in force spares the question, and its end ends its tokens", async () => {
    const party = await aParty(stage);
    const { access_token, refresh_token } = await party.flow();
    const { id: user_id } = party.user;
    const app_id = party.app.id;
    assert.equal((await asked(party)).type, "redirect");
    await stage.store.update("oauth_consents", { user_id, app_id }, { granted: false });
    assert.equal((await asked(party)).type, "consent");
    await rejected(party.refresh(refresh_token), "invalid_grant");
    await stage.store.update("oauth_consents", { user_id, app_id }, { granted: true });
    await withdrawConsent(stage.store, user_id, app_id, "consent_withdrawn", stage.clock.now());
    assert.equal((await asked(party)).type, "consent");
    assert.equal((await party.rowOf(access_token)).revoked_reason, "consent_withdrawn");
    const consent = await stage.store.find("oauth_consents", { user_id, app_id });
    assert.deepEqual(
      [consent?.revoked, consent?.revoked_at, consent?.revoked_reason],
      [true, stage.clock.now(), "consent_withdrawn"],
    );
  });

  test("2.10 OAuthConsent.last_used_at: a silent authorization is a use of the consent", async () => {
    const party = await aParty(stage);
    await party.code();
    const read = async () => (await stage.store.findConsent(party.user.id, party.app.id))?.last_used_at;
    assert.deepEqual(await read(), stage.clock.now());
    stage.clock.advance(5);
    await party.code();
    await stage.store.flushUses();
    assert.deepEqual(await read(), stage.clock.now());
  });

  test("2.1 User.active: a user who is switched off gets and keeps no token", async () => {
    const party = await aParty(stage);
    const { access_token, refresh_token } = await party.flow();
    const code = await party.code();
    await deactivate(stage.store, "users", party.user.id, stage.clock.now());
    await rejected(party.exchange(code), "invalid_grant", /not active/);
    await rejected(party.refresh(refresh_token), "invalid_grant");
    assert.equal(await party.isActive(access_token), false);
    const session = await stage.store.find("sessions", { id: party.who.session.id });
    assert.deepEqual(session?.ended_at, stage.clock.now());
  });
});
