import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { SignJWT } from "jose";
import { introspect } from "../../src/oauth/introspect.ts";
import { altered } from "../support/altered.ts";
import { issuer, serverOn, testServer } from "../support/authorization_server.ts";
import { anOrganization, aServiceAccount } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import {
  deactivate,
  deleteApp,
  deleteUser,
  reactivate,
  revokeApp,
  withdrawConsent,
} from "../support/endings.ts";
import { endpointRequest, verifier } from "../support/flows.ts";
import { aClientFixture, type ClientFixture, claimsOf, inactive, rejected } from "./client_fixture.ts";

const base64url = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

describeInForm("introspection", (database) => {
  const scenario = serverOn(database);

  test("I-1: the response for an active access token has exactly the fields of the specification", async () => {
    const fixture = await aClientFixture(scenario);
    scenario.clock.advance(0.999);
    const { access_token } = await fixture.flow({ scope: "openid orders:read" });
    const { iat } = claimsOf(access_token);
    assert.equal(iat, Math.floor(scenario.clock.now().getTime() / 1000));
    assert.deepEqual(await fixture.introspect(access_token), {
      active: true,
      scope: "openid orders:read",
      client_id: fixture.app.client_id,
      username: fixture.user.email,
      token_type: "Bearer",
      exp: Number(iat) + 900,
      iat,
      sub: fixture.user.id,
      aud: [issuer],
    });
  });

  test("I-1: the response for a refresh token has its own expiry and all scopes of the authorization", async () => {
    const fixture = await aClientFixture(scenario, { refresh_token_ttl: 100 });
    const { refresh_token } = await fixture.flow({ scope: "openid orders:read" });
    const narrow = await fixture.refresh(refresh_token, { scope: "openid" });
    const { created_at } = await fixture.rowOf(narrow.access_token);
    assert.deepEqual(await fixture.introspect(narrow.refresh_token), {
      active: true,
      scope: "openid orders:read",
      client_id: fixture.app.client_id,
      username: fixture.user.email,
      token_type: "refresh_token",
      exp: Math.floor((created_at.getTime() + 100_000) / 1000),
      iat: Math.floor(created_at.getTime() / 1000),
      sub: fixture.user.id,
      aud: [issuer],
    });
  });

  test("design 6.13: username is the user's current email address", async () => {
    const fixture = await aClientFixture(scenario);
    const { access_token } = await fixture.flow();
    const email = `new-${fixture.user.email}`;
    await scenario.store.update("users", { id: fixture.user.id }, { email, email_key: email });
    assert.equal(((await fixture.introspect(access_token)) as { username: string }).username, email);
  });

  type Tokens = Awaited<ReturnType<ClientFixture["flow"]>>;
  type Ending = (fixture: ClientFixture, tokens: Tokens) => unknown;
  const now = () => scenario.clock.now();
  const dead: Record<string, readonly [half: "access_token" | "refresh_token", Ending]> = {
    "an expired access token": ["access_token", () => scenario.clock.advance(900)],
    "an expired refresh token": ["refresh_token", () => scenario.clock.advance(604_800)],
    "a revoked access token": ["access_token", (fixture, tokens) => fixture.revoke(tokens.access_token)],
    "a revoked refresh token": ["refresh_token", (fixture, tokens) => fixture.revoke(tokens.refresh_token)],
    "an access token whose refresh token was revoked": [
      "access_token",
      (fixture, tokens) => fixture.revoke(tokens.refresh_token),
    ],
    "a rotated refresh token": ["refresh_token", (fixture, tokens) => fixture.refresh(tokens.refresh_token)],
    "the access token beside a rotated refresh token": [
      "access_token",
      (fixture, tokens) => fixture.refresh(tokens.refresh_token),
    ],
    "a token of a deactivated user": [
      "access_token",
      ({ user }) => deactivate(scenario.store, "users", user.id, now()),
    ],
    "a token of a deleted user": [
      "access_token",
      async ({ app, user }) => {
        await scenario.store.update(
          "oauth_apps",
          { id: app.id },
          { owner_id: (await aClientFixture(scenario)).user.id },
        );
        await deleteUser(scenario.store, user.id, now());
      },
    ],
    "a token whose consent was withdrawn": [
      "access_token",
      ({ user, app }) => withdrawConsent(scenario.store, user.id, app.id, "consent_withdrawn", now()),
    ],
    "a token of a session that ended": [
      "access_token",
      ({ who }) => scenario.store.endSession(who.session.id, now()),
    ],
    "a token from before a password change": [
      "access_token",
      ({ user }) => scenario.store.endEverythingOf(user.id, "password_changed", now()),
    ],
    "a token without a row": [
      "access_token",
      (_, { access_token }) =>
        scenario.store.remove("oauth_tokens", { id: String(claimsOf(access_token).jti) }),
    ],
  };
  async function isInactive(fixture: ClientFixture, token: string): Promise<void> {
    for (const token_type_hint of [undefined, "access_token", "refresh_token"])
      assert.equal(JSON.stringify(await fixture.introspect(token, { token_type_hint })), '{"active":false}');
  }
  for (const [what, [half, end]] of Object.entries(dead))
    test(`I-2, I-4: ${what} is answered with exactly {"active":false}`, async () => {
      const fixture = await aClientFixture(scenario);
      const tokens = await fixture.flow();
      await end(fixture, tokens);
      await isInactive(fixture, tokens[half]);
    });

  test("I-2: any other text, or a token of another server, is answered with exactly {active:false}", async () => {
    const fixture = await aClientFixture(scenario);
    const there = await aClientFixture(await testServer(await database.open()), {
      client_id: fixture.app.client_id,
    });
    for (const token of ["garbage", "a".repeat(20_000), "..", (await there.flow()).access_token])
      await isInactive(fixture, token);
  });

  test("I-2: a token of a revoked or deleted app is inactive for every client that could see it before", async () => {
    const enders: Record<string, (fixture: ClientFixture, now: Date) => Promise<unknown>> = {
      "the app revoked": ({ app }, now) => revokeApp(scenario.store, app.id, now),
      "the app deleted": ({ app }) => deleteApp(scenario.store, app.id),
    };
    const resource = "https://orders.example/";
    const watcher = await aClientFixture(scenario, { metadata: { resource } });
    for (const [what, end] of Object.entries(enders)) {
      const fixture = await aClientFixture(scenario, { metadata: { resources: [resource] } });
      const { access_token } = await fixture.flow({ resource });
      assert.equal(await watcher.isActive(access_token), true, what);
      scenario.clock.advance(1);
      await end(fixture, scenario.clock.now());
      assert.deepEqual(await watcher.introspect(access_token), inactive, what);
    }
  });

  test("I-2: a service account's token becomes inactive with the account and with its organization", async () => {
    for (const table of ["service_accounts", "organizations"] as const) {
      const fixture = await aClientFixture(scenario);
      const created_at = scenario.clock.now();
      const account = await aServiceAccount(scenario.store, { created_at });
      const { access_token } = await fixture.flow();
      const row = await fixture.rowOf(access_token);
      await scenario.store.update(
        "oauth_tokens",
        { id: row.id },
        { user_id: null, service_account_id: account.id, refresh_token_signature: null },
      );
      const answer = (await fixture.introspect(access_token)) as { sub: string };
      assert.equal(answer.sub, account.id);
      assert.ok(!("username" in answer));
      scenario.clock.advance(1);
      const id = table === "organizations" ? account.organization_id : account.id;
      await deactivate(scenario.store, table, id, scenario.clock.now());
      assert.deepEqual(await fixture.introspect(access_token), inactive, table);
      // Even if its row is not marked as revoked, the token is inactive because of the record's state, and
      // stays inactive.
      await scenario.store.update("oauth_tokens", { id: row.id }, { revoked: false });
      assert.deepEqual(await fixture.introspect(access_token), inactive, table);
      scenario.clock.advance(1);
      await reactivate(scenario.store, table, id, scenario.clock.now());
      assert.deepEqual(await fixture.introspect(access_token), inactive, table);
    }
  });

  test("I-3: without client authentication, or as a public client, the response is invalid_client", async () => {
    const fixture = await aClientFixture(scenario);
    const open = await aClientFixture(scenario, { public: true });
    const { access_token } = await open.flow();
    const attempts = [
      endpointRequest({ token: access_token }),
      endpointRequest({ token: access_token }, "Bearer x"),
      endpointRequest({ token: access_token, client_id: fixture.app.client_id }),
      endpointRequest({ token: access_token, client_id: open.app.client_id }),
      endpointRequest({ token: access_token }, `Basic ${btoa(`${open.app.client_id}:`)}`),
      endpointRequest({ token: access_token }, `Basic ${btoa(`${fixture.app.client_id}:secr-wrong`)}`),
    ];
    for (const attempt of attempts) {
      await rejected(introspect(attempt, scenario.server), "invalid_client");
    }
  });

  test("I-3: a request with a missing, empty or repeated token is invalid_request", async () => {
    const fixture = await aClientFixture(scenario);
    for (const parameters of [{}, { token: "" }, { token_type_hint: "access_token" }]) {
      const request = endpointRequest(parameters, fixture.authorization);
      await rejected(introspect(request, scenario.server), "invalid_request", /token is missing/);
    }
    const twice = endpointRequest({ token: ["a", "b"] }, fixture.authorization);
    await rejected(introspect(twice, scenario.server), "invalid_request", /repeated/);
  });

  test("I-4: forged, re-signed and edited tokens are inactive", async () => {
    const fixture = await aClientFixture(scenario);
    const { access_token } = await fixture.flow();
    const [header = "", payload = "", proof = ""] = access_token.split(".");
    const claims = claimsOf(access_token);
    const [published] = (await scenario.server.keys()).jwks(scenario.clock.now()).keys;
    const kid = String(published?.kid);
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const edited = (changes: object) => `${header}.${base64url({ ...claims, ...changes })}.${proof}`;
    const forged: Record<string, string> = {
      "alg none": `${base64url({ alg: "none", typ: "at+jwt", kid })}.${payload}.`,
      "no signature": `${header}.${payload}.`,
      "a foreign key under our kid": await new SignJWT(claims)
        .setProtectedHeader({ alg: "RS256", typ: "at+jwt", kid })
        .sign(privateKey),
      "another subject": edited({ sub: "00000000-0000-7000-8000-000000000000" }),
      "a wider scope": edited({ scope: "openid postern:admin" }),
      "another jti": edited({ jti: scenario.store.newId(scenario.clock.now()) }),
      "another signature": `${header}.${payload}.${altered(proof)}`,
      padding: `${access_token}=`,
    };
    for (const [what, token] of Object.entries(forged))
      assert.deepEqual(await fixture.introspect(token), inactive, what);
    assert.equal(await fixture.isActive(access_token), true);
  });

  test("I-5: a code, an id_token, a client secret, a client_id or a session is reported as inactive", async () => {
    const fixture = await aClientFixture(scenario);
    const { id_token = "" } = await fixture.flow();
    const code = await fixture.code();
    const secret = `secret of ${fixture.app.client_id}`;
    for (const token of [
      code,
      id_token,
      secret,
      fixture.app.client_id,
      fixture.app.id,
      fixture.who.session.id,
      verifier,
    ]) {
      assert.deepEqual(await fixture.introspect(token), inactive);
    }
    assert.ok(await fixture.exchange(code), "a code that was shown is not spent");
  });

  test("I-6: a wrong token_type_hint does not change the response", async () => {
    const fixture = await aClientFixture(scenario);
    const { access_token, refresh_token } = await fixture.flow();
    for (const token_type_hint of ["access_token", "refresh_token", "id_token", "__proto__", "", undefined]) {
      for (const token of [access_token, refresh_token]) {
        assert.ok("scope" in (await fixture.introspect(token, { token_type_hint })), `${token_type_hint}`);
      }
    }
  });

  test("I-7: a resource server sees access tokens for its own API, and no refresh token", async () => {
    const resource = "https://orders.example/";
    const fixture = await aClientFixture(scenario, {
      metadata: { resources: [resource, "https://bills.example/"] },
    });
    const orders = await aClientFixture(scenario, { metadata: { resource: [resource] } });
    const bills = await aClientFixture(scenario, { metadata: { resource: "https://bills.example/" } });
    const { access_token, refresh_token } = await fixture.flow({ resource });
    assert.equal(await orders.isActive(access_token), true);
    assert.deepEqual(await orders.introspect(refresh_token), inactive);
    assert.deepEqual(await bills.introspect(access_token), inactive);
    const plain = await fixture.flow();
    assert.deepEqual(await orders.introspect(plain.access_token), inactive);
  });

  test("I-7: an app with the issuer as its resource sees no more than any other app", async () => {
    const fixture = await aClientFixture(scenario);
    const pretender = await aClientFixture(scenario, { metadata: { resource: issuer } });
    const { access_token } = await fixture.flow();
    assert.deepEqual(await pretender.introspect(access_token), inactive);
  });

  test("design 6.7: token:introspect gives access to the access tokens of apps in the same organization", async () => {
    const created_at = scenario.clock.now();
    const ours = (await anOrganization(scenario.store, { created_at })).id;
    const theirs = (await anOrganization(scenario.store, { created_at })).id;
    const watcher = (organization_id: string | null) =>
      aClientFixture(scenario, {
        organization_id,
        allowed_scopes: ["token:introspect"],
        allowed_grants: ["client_credentials"],
      });
    const watchers = [await watcher(ours), await watcher(theirs), await watcher(null)];
    const makers = [ours, theirs, null];
    for (const [index, organization_id] of makers.entries()) {
      const fixture = await aClientFixture(scenario, { organization_id });
      const { access_token, refresh_token } = await fixture.flow();
      for (const [at, each] of watchers.entries()) {
        assert.equal(await each.isActive(access_token), at === index, `${at} ${index}`);
        assert.deepEqual(await each.introspect(refresh_token), inactive);
      }
    }
  });

  test("design 6.7: a reserved scope is never in an issued token", async () => {
    const allowed_scopes = ["orders:read", "openid", "token:introspect", "postern:admin"];
    const fixture = await aClientFixture(scenario, {
      allowed_scopes,
      allowed_grants: ["auth_code", "refresh", "client_credentials"],
    });
    for (const scope of ["token:introspect", "postern:admin", "orders:read token:introspect"]) {
      await rejected(fixture.clientCredentials({ scope }), "invalid_scope");
      await assert.rejects(fixture.code({ scope }), /invalid_scope/);
      const { refresh_token } = await fixture.flow({ scope: "orders:read" });
      await rejected(fixture.refresh(refresh_token, { scope }), "invalid_scope");
    }
  });

  test("I-8: a revocation, by this process or in the database, shows in the next introspection", async () => {
    const fixture = await aClientFixture(scenario);
    const { access_token } = await fixture.flow();
    for (let turn = 0; turn < 3; turn++) assert.equal(await fixture.isActive(access_token), true);
    const { id } = await fixture.rowOf(access_token);
    await scenario.store.update("oauth_tokens", { id }, { revoked: true });
    assert.deepEqual(await fixture.introspect(access_token), inactive);
  });

  test("design 6.18: deactivation ends tokens at once and stores the reason, and reactivation revives none", async () => {
    const created_at = scenario.clock.now();
    const organization = await anOrganization(scenario.store, { created_at });
    const reasons = {
      users: "user_disabled",
      oauth_apps: "app_disabled",
      organizations: "organization_disabled",
    } as const;
    const witness = await aClientFixture(scenario, { metadata: { resource: "https://w.example/" } });
    for (const [table, reason] of Object.entries(reasons) as [keyof typeof reasons, string][]) {
      const fixture = await aClientFixture(scenario, {
        organization_id: organization.id,
        metadata: { resources: ["https://w.example/"] },
      });
      const id = { users: fixture.user.id, oauth_apps: fixture.app.id, organizations: organization.id }[
        table
      ];
      // The API's record is older than the token, but the token is created in the same millisecond in which
      // the record in `table` ends.
      scenario.clock.advance(1);
      const { access_token, refresh_token } = await fixture.flow({ resource: "https://w.example/" });
      assert.equal(await witness.isActive(access_token), true);
      await deactivate(scenario.store, table, id, scenario.clock.now());
      assert.deepEqual(await witness.introspect(access_token), inactive, table);
      const row = await fixture.rowOf(access_token);
      assert.deepEqual([row.revoked, row.revoked_reason], [true, reason]);
      scenario.clock.advance(1);
      await reactivate(scenario.store, table, id, scenario.clock.now());
      assert.deepEqual(await witness.introspect(access_token), inactive, table);
      assert.deepEqual(await fixture.introspect(refresh_token), inactive, table);
      // Even if its row is not marked as revoked, the token is inactive because of the record's state.
      await scenario.store.update("oauth_tokens", { id: row.id }, { revoked: false });
      assert.deepEqual(await witness.introspect(access_token), inactive, table);
      scenario.clock.advance(1);
    }
  });
});
