import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { before, test } from "node:test";
import fc from "fast-check";
import { createLocalJWKSet, decodeProtectedHeader, type JWTPayload, jwtVerify } from "jose";
import { readForm } from "../../src/oauth/core/params.ts";
import { isRefusal } from "../../src/oauth/refusals/refuse.ts";
import { userinfo } from "../../src/oauth/userinfo.ts";
import type { OAuthApp, User } from "../../src/records/definition/definition.ts";
import type { SignedIn } from "../../src/records/definition/request_origin.ts";
import { issuer, serverOn } from "../support/authorization_server.ts";
import { anApp, aUser } from "../support/builders.ts";
import { codePoint } from "../support/code_point.ts";
import { describeInForm } from "../support/databases.ts";
import { deactivate } from "../support/endings.ts";
import {
  codeFlow,
  credentialsOf,
  formOf,
  origin,
  type Parameters,
  redeem,
  signedIn,
} from "../support/flows.ts";
import { aClientFixture, type ClientFixture, refusal, rejected } from "./client_fixture.ts";

describeInForm("id_tokens", (database) => {
  const as = serverOn(database);
  let user: User;
  let who: SignedIn;
  let app: OAuthApp;
  let authorization: string | undefined;

  before(async () => {
    user = await aUser(as.store, { email: "ada@example.com", name: "Augusta Ada King" });
    who = await signedIn(as, user);
    app = await anApp(as.store, {
      first_party: true,
      allowed_scopes: ["openid", "profile", "email", "orders:read"],
      metadata: { resources: ["https://orders.example"] },
    });
    authorization = await credentialsOf(as, app);
    // Time passes between sign-in and use, so auth_time and iat differ.
    as.clock.advance(100);
  });

  /** Verifies the claims as a client does: with the published keys, the issuer and its own client_id. */
  async function verified(id_token: string | undefined, audience = app.client_id): Promise<JWTPayload> {
    assert.ok(id_token);
    const keySet = createLocalJWKSet((await as.server.keys()).jwks(as.clock.now()));
    const { payload } = await jwtVerify(id_token, keySet, {
      issuer,
      audience,
      algorithms: ["RS256"],
      typ: "JWT",
      currentDate: as.clock.now(),
    });
    return payload;
  }

  const now = () => Math.floor(as.clock.now().getTime() / 1000);
  const leftHalf = (text: string) =>
    createHash("sha256").update(text, "ascii").digest().subarray(0, 16).toString("base64url");

  test("O-1: an id_token verifies with the published keys, and states who signed in, where, when and for whom", async () => {
    const { id_token, access_token } = await codeFlow(as, app, authorization, who, {
      nonce: "n-0S6_WzA2Mj",
    });
    assert.deepEqual(await verified(id_token), {
      iss: issuer,
      sub: user.id,
      aud: app.client_id,
      exp: now() + 3600,
      iat: now(),
      at_hash: leftHalf(access_token),
      nonce: "n-0S6_WzA2Mj",
      auth_time: Math.floor(who.session.authenticated_at.getTime() / 1000),
      acr: who.session.acr,
      amr: ["pwd"],
      sid: who.session.id,
    });
  });

  test("OR-12: an app with session_expiry_in_id_token gets the end of the session in the id_token", async () => {
    const asks = await anApp(as.store, { first_party: true, session_expiry_in_id_token: true });
    const { id_token } = await codeFlow(as, asks, await credentialsOf(as, asks), who);
    const { session_expiry } = await verified(id_token, asks.client_id);
    assert.equal(session_expiry, Math.floor(who.session.expires_at.getTime() / 1000));
  });

  test("O-1: the header has RS256, the type and a published key, and nothing else", async () => {
    const { id_token } = await codeFlow(as, app, authorization, who);
    const [key] = (await as.server.keys()).jwks(as.clock.now()).keys;
    assert.deepEqual(decodeProtectedHeader(id_token ?? ""), { alg: "RS256", typ: "JWT", kid: key?.kid });
  });

  test("O-1: without the scope openid there is no id_token", async () => {
    for (const scope of ["orders:read", "profile email"]) {
      assert.equal("id_token" in (await codeFlow(as, app, authorization, who, { scope })), false);
    }
  });

  test("O-1: the nonce is returned exactly as sent, and absent if none was sent", async () => {
    const nonce = fc
      .string({ unit: codePoint, minLength: 1, maxLength: 60 })
      .filter((text) => !text.includes("\0"));
    await fc.assert(
      fc.asyncProperty(nonce, async (text) => {
        const { id_token } = await codeFlow(as, app, authorization, who, { nonce: text });
        assert.equal((await verified(id_token)).nonce, text);
      }),
      { numRuns: 15 },
    );
    for (const none of [undefined, ""]) {
      const { id_token } = await codeFlow(as, app, authorization, who, { nonce: none });
      assert.equal("nonce" in (await verified(id_token)), false);
    }
  });

  test("O-1: auth_time is the time of the sign-in, with or without max_age", async () => {
    const auth_time = Math.floor(who.session.authenticated_at.getTime() / 1000);
    for (const max_age of [undefined, "1000000"]) {
      const { id_token } = await codeFlow(as, app, authorization, who, { max_age });
      assert.equal((await verified(id_token)).auth_time, auth_time);
    }
  });

  test("O-1: the audience is the client, even if the access token is for a resource", async () => {
    const { id_token } = await codeFlow(as, app, authorization, who, {
      resource: "https://orders.example",
    });
    assert.equal((await verified(id_token)).aud, app.client_id);
    const other = await anApp(as.store, { first_party: true });
    await assert.rejects(verified(id_token, other.client_id), { code: "ERR_JWT_CLAIM_VALIDATION_FAILED" });
  });

  test("T-15: sub is the user's UUID for every client, and an app can exclude email and name from the id_token", async () => {
    await as.store.update("oauth_apps", { id: app.id }, { claims_in_id_token: false });
    const other = await anApp(as.store, { first_party: true, public: true });
    const one = await verified(
      (await codeFlow(as, app, authorization, who, { scope: "openid profile email" })).id_token,
    );
    const two = await verified((await codeFlow(as, other, undefined, who)).id_token, other.client_id);
    assert.equal(one.sub, user.id);
    assert.equal(two.sub, user.id);
    for (const reported of [user.email, user.name])
      assert.equal(JSON.stringify(one).includes(reported), false);
    assert.equal("email" in one || "name" in one, false);
    await as.store.update("oauth_apps", { id: app.id }, { claims_in_id_token: true });
  });

  test("O-1: the id_token has the same claims of profile and email as userinfo, with current values after a refresh", async () => {
    const claims = async (id_token: string | undefined) => {
      const { name, picture, updated_at, email } = await verified(id_token);
      return { name, picture, updated_at, email };
    };
    const reported = (input: object) => ({
      name: undefined,
      picture: undefined,
      updated_at: undefined,
      email: undefined,
      ...input,
    });
    const seconds = ({ updated_at }: User) => Math.floor(updated_at.getTime() / 1000);
    const profile = { name: user.name, updated_at: seconds(user) };
    for (const [scope, expected] of [
      ["openid", {}],
      ["openid profile", profile],
      ["openid email", { email: user.email }],
      ["openid profile email", { ...profile, email: user.email }],
    ] as const) {
      const { id_token, access_token } = await codeFlow(as, app, authorization, who, { scope });
      assert.deepEqual(await claims(id_token), reported(expected), scope);
      const bearer = { method: "GET", dpop: undefined, authorization: `Bearer ${access_token}` };
      const request = { ...bearer, params: undefined, origin };
      assert.deepEqual(await userinfo(request, as.server), { sub: user.id, ...expected }, scope);
    }
    const { refresh_token } = await codeFlow(as, app, authorization, who, {
      scope: "openid profile email",
    });
    const changed = { name: "Ada, Countess of Lovelace", avatar_url: "https://example.com/ada.png" };
    await as.store.update("users", { id: user.id }, { ...changed, updated_at: as.clock.now() });
    const again = await redeem(as, app, authorization, { grant_type: "refresh_token", refresh_token });
    const fresh = { name: changed.name, picture: changed.avatar_url, updated_at: now() };
    assert.deepEqual(await claims(again.id_token), reported({ ...fresh, email: user.email }));
    const narrowed = await redeem(as, app, authorization, {
      grant_type: "refresh_token",
      refresh_token: again.refresh_token,
      scope: "openid email",
    });
    assert.deepEqual(await claims(narrowed.id_token), reported({ email: user.email }));
    await as.store.update("users", { id: user.id }, user);
  });

  test("O-1: a refresh issues an id_token for the same sign-in, with a new at_hash and without nonce", async () => {
    const first = await codeFlow(as, app, authorization, who, { nonce: "once" });
    as.clock.advance(500);
    const second = await redeem(as, app, authorization, {
      grant_type: "refresh_token",
      refresh_token: first.refresh_token,
    });
    const claims = await verified(second.id_token);
    assert.equal(claims.at_hash, leftHalf(second.access_token));
    assert.notEqual(second.access_token, first.access_token);
    assert.deepEqual(
      [claims.sub, claims.aud, claims.iat, "nonce" in claims],
      [user.id, app.client_id, now(), false],
    );
    assert.equal(claims.auth_time, Math.floor(who.session.authenticated_at.getTime() / 1000));
    assert.equal(claims.sid, who.session.id);
  });

  test("O-1: a refresh narrowed to scopes without openid issues no id_token", async () => {
    const { refresh_token } = await codeFlow(as, app, authorization, who, { scope: "openid orders:read" });
    const narrowed = await redeem(as, app, authorization, {
      grant_type: "refresh_token",
      refresh_token,
      scope: "orders:read",
    });
    assert.equal("id_token" in narrowed, false);
  });
});

describeInForm("userinfo", (database) => {
  const scenario = serverOn(database);

  const ask = (authorization: string | undefined, form?: Parameters) =>
    userinfo(
      {
        method: "GET",
        dpop: undefined,
        authorization,
        params: form === undefined ? undefined : readForm(formOf(form)),
        origin,
      },
      scenario.server,
    );
  const bearer = (token: string) => ask(`Bearer ${token}`);

  const scopes = { allowed_scopes: ["openid", "profile", "email", "orders:read"] };

  test("O-2: each scope releases its own claims, and no others", async () => {
    const avatar_url = "https://img.example/ada.png";
    const fixture = await aClientFixture(scenario, scopes, { name: "Ada Lovelace", avatar_url });
    const { id: sub, email, name } = fixture.user;
    const updated_at = Math.floor(fixture.user.updated_at.getTime() / 1000);
    const profile = { name, picture: avatar_url, updated_at };
    const expected: Record<string, object> = {
      openid: { sub },
      "openid orders:read": { sub },
      "openid email": { sub, email },
      "openid profile": { sub, ...profile },
      "openid profile email": { sub, ...profile, email },
    };
    for (const [scope, claims] of Object.entries(expected)) {
      const { access_token } = await fixture.flow({ scope });
      assert.deepEqual(await bearer(access_token), claims, scope);
      assert.deepEqual(await ask(undefined, { access_token }), claims, scope);
    }
    const plain = await aClientFixture(scenario, scopes);
    const { access_token } = await plain.flow({ scope: "openid profile" });
    assert.ok(!("picture" in (await bearer(access_token))), "what the user has not is left out");
  });

  test("O-2: a request without a token gets a challenge without an error code", async () => {
    for (const authorization of [undefined, "Basic YTpi", "Digest x", "Bearerx y"]) {
      await assert.rejects(ask(authorization), (error: unknown) => {
        assert.ok(isRefusal(error, "access_token_missing"), `${authorization}`);
        assert.equal(error.status, 401);
        return true;
      });
    }
    await assert.rejects(ask(undefined, {}), { kind: "access_token_missing" });
    await assert.rejects(ask(undefined, { access_token: "" }), { kind: "access_token_missing" });
  });

  test("O-2: a request with a token in two places, or twice, is invalid_request", async () => {
    const fixture = await aClientFixture(scenario);
    const { access_token } = await fixture.flow();
    const twoWays = ask(`Bearer ${access_token}`, { access_token });
    await rejected(twoWays, "invalid_request", /sent both in the Authorization header and in the form/);
    await rejected(ask(undefined, { access_token: [access_token, access_token] }), "invalid_request");
  });

  test("O-2: a token without openid or without a user is insufficient_scope", async () => {
    const fixture = await aClientFixture(scenario);
    const { access_token } = await fixture.flow({ scope: "profile orders:read" });
    await rejected(bearer(access_token), "insufficient_scope", /openid/);
    const machine = await aClientFixture(scenario, { allowed_grants: ["client_credentials"] });
    const own = await machine.clientCredentials();
    await rejected(bearer(own.access_token), "insufficient_scope");
  });

  type Tokens = Awaited<ReturnType<ClientFixture["flow"]>>;
  const ended =
    (end: (fixture: ClientFixture, tokens: Tokens) => unknown) => async (fixture: ClientFixture) => {
      const tokens = await fixture.flow();
      await end(fixture, tokens);
      return tokens.access_token;
    };
  const dead: Record<string, (fixture: ClientFixture) => Promise<string>> = {
    "an id_token": async (fixture) => (await fixture.flow()).id_token ?? "",
    "a refresh token": async (fixture) => (await fixture.flow()).refresh_token,
    "a code": (fixture) => fixture.code(),
    garbage: async () => "garbage",
    "a token with a broken character": async (fixture) => `${(await fixture.flow()).access_token}*`,
    "an expired token": ended(() => scenario.clock.advance(900)),
    "a revoked token": ended((fixture, { access_token }) => fixture.revoke(access_token)),
    "a token of a family that was revoked": ended((fixture, { refresh_token }) =>
      fixture.revoke(refresh_token),
    ),
    "a deactivated user's token": ended(({ user }) =>
      deactivate(scenario.store, "users", user.id, scenario.clock.now()),
    ),
    "a deactivated app's token": ended(({ app }) =>
      deactivate(scenario.store, "oauth_apps", app.id, scenario.clock.now()),
    ),
    "a token edited": async (fixture) => {
      const [header, , proof] = (await fixture.flow()).access_token.split(".");
      return `${header}.${Buffer.from('{"scope":"openid"}').toString("base64url")}.${proof}`;
    },
  };
  for (const [what, make] of Object.entries(dead)) {
    test(`O-2: a request with ${what} is invalid_token`, async () => {
      const fixture = await aClientFixture(scenario);
      const token = await make(fixture);
      await assert.rejects(bearer(token), (error: unknown) => {
        assert.ok(!isRefusal(error, "access_token_missing"));
        return refusal("invalid_token")(error);
      });
      await rejected(ask(undefined, { access_token: token }), "invalid_token");
    });
  }

  test("O-2: the scheme may be in any case, and the claims have the user's current values", async () => {
    const fixture = await aClientFixture(scenario, scopes);
    const { access_token } = await fixture.flow({ scope: "openid profile" });
    const name = "Augusta";
    await scenario.store.update("users", { id: fixture.user.id }, { name });
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      assert.equal((await ask(`${scheme} ${access_token}`)).name, name);
    }
  });
});
