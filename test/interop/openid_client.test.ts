import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import * as client from "openid-client";
import { type FormBrowser, formBrowser, goThrough } from "../support/form_browser.ts";
import { postgresDatabase } from "../support/postgres.ts";
import { type ServedProcess, servedProcess } from "../support/process.ts";
import {
  ada,
  machine,
  manifest,
  native,
  orders,
  post_logout_redirect_uri,
  redirect_uri,
  spa,
  web,
} from "./registrations.ts";

let served: ServedProcess;

before(async () => {
  served = await servedProcess({ manifest });
});
after(() => served.stop());

/**
 * Returns the configuration of a client that has discovered the server and verifies every signature itself.
 */
async function configured(
  { client_id }: { client_id: string },
  authentication: client.ClientAuth,
  issuer = served.url,
): Promise<client.Configuration> {
  const execute = [client.allowInsecureRequests, client.enableNonRepudiationChecks];
  return client.discovery(new URL(issuer), client_id, undefined, authentication, { execute });
}

interface Flow {
  readonly scope?: string;
  readonly parameters?: Record<string, string>;
  readonly browser?: FormBrowser;
  readonly redirect_uri?: string;
  readonly decision?: "allow" | "deny";
  readonly checks?: client.AuthorizationCodeGrantChecks;
}

/** Runs the authorization code flow with PKCE, state and nonce, as in the library's documentation. */
async function codeFlow(config: client.Configuration, flow: Flow = {}) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedState = client.randomState();
  const expectedNonce = client.randomNonce();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: flow.redirect_uri ?? redirect_uri,
    scope: flow.scope ?? "openid profile email",
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
    state: expectedState,
    nonce: expectedNonce,
    ...flow.parameters,
  });
  const callback = await goThrough(flow.browser ?? formBrowser(), url, ada, flow.decision);
  const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true, ...flow.checks };
  return { callback, checks, tokens: await client.authorizationCodeGrant(config, callback, checks) };
}

function claimsOf(tokens: { claims(): client.IDToken | undefined }): client.IDToken {
  const claims = tokens.claims();
  assert.ok(claims, "there is an id_token");
  return claims;
}

/** Returns the `at_hash` of OpenID Connect Core 3.1.3.6 for RS256. */
function hashOf(access_token: string): string {
  return createHash("sha256").update(access_token).digest().subarray(0, 16).toString("base64url");
}

const basic = () => configured(web, client.ClientSecretBasic(web.secret));

/** Runs the operations that each client authentication method must support, beginning with a code. */
async function wholeFlow(config: client.Configuration): Promise<void> {
  const { tokens } = await codeFlow(config, { scope: "openid profile email offline_access" });
  const claims = claimsOf(tokens);
  assert.equal(claims.at_hash, hashOf(tokens.access_token));
  assert.equal(tokens.expires_in, 900);
  assert.equal(tokens.scope, "openid profile email offline_access");
  const userinfo = await client.fetchUserInfo(config, tokens.access_token, claims.sub);
  assert.equal(userinfo.email, ada.email);
  assert.equal(userinfo.name, ada.name);

  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
  assert.notEqual(refreshed.refresh_token, tokens.refresh_token);
  assert.notEqual(refreshed.access_token, tokens.access_token);
  assert.equal(claimsOf(refreshed).sub, claims.sub);
  assert.equal(claimsOf(refreshed).auth_time, claims.auth_time);

  await client.tokenRevocation(config, refreshed.refresh_token ?? "", { token_type_hint: "refresh_token" });
  await assert.rejects(client.refreshTokenGrant(config, refreshed.refresh_token ?? ""), {
    error: "invalid_grant",
  });
  await assert.rejects(client.fetchUserInfo(config, refreshed.access_token, claims.sub), { status: 401 });
}

describe("openid-client", () => {
  test("discovers the server and all endpoints that it knows", async () => {
    const metadata = (await basic()).serverMetadata();
    assert.equal(metadata.issuer, served.url);
    assert.equal(metadata.supportsPKCE(), true);
    for (const endpoint of ["userinfo", "introspection", "revocation", "end_session"] as const) {
      assert.ok(String(metadata[`${endpoint}_endpoint`]).startsWith(`${served.url}/oauth/`), endpoint);
    }
  });

  test("C-2: a client whose id and secret need encoding completes a flow with client_secret_basic", async () => {
    await wholeFlow(await basic());
  });

  test("C-2: the same client completes a flow with client_secret_post", async () => {
    await wholeFlow(await configured(web, client.ClientSecretPost(web.secret)));
  });

  test("a public client completes a flow with PKCE and without a secret", async () => {
    await wholeFlow(await configured(spa, client.None()));
  });

  test("A-8: a native client returns to an unregistered loopback port", async () => {
    const config = await configured(native, client.None());
    const { callback, tokens } = await codeFlow(config, { redirect_uri: "http://127.0.0.1:54321/cb" });
    assert.equal(callback.port, "54321");
    assert.ok(claimsOf(tokens).sub);
  });

  test("O-1: max_age adds an auth_time to the id_token that the library accepts as recent", async () => {
    const browser = formBrowser();
    const flow = { browser, parameters: { max_age: "300" }, checks: { maxAge: 300 } };
    const first = claimsOf((await codeFlow(await basic(), flow)).tokens);
    assert.ok(Math.abs(Number(first.auth_time) - Date.now() / 1000) < 60);
    const again = claimsOf((await codeFlow(await basic(), flow)).tokens);
    assert.equal(again.auth_time, first.auth_time);
  });

  test("T-13: a machine client gets a token by client credentials, without refresh token and id_token", async () => {
    for (const authentication of [client.ClientSecretBasic, client.ClientSecretPost]) {
      const config = await configured(machine, authentication(machine.secret));
      const tokens = await client.clientCredentialsGrant(config, { scope: "orders:read" });
      assert.equal(tokens.scope, "orders:read");
      assert.equal(tokens.refresh_token, undefined);
      assert.equal(tokens.id_token, undefined);
      assert.equal((await client.tokenIntrospection(config, tokens.access_token)).active, true);
    }
  });

  test("I-1: a resource server learns the owner of a token, and that it is inactive after its revocation", async () => {
    const config = await basic();
    const resourceServer = await configured(orders, client.ClientSecretBasic(orders.secret));
    const { tokens } = await codeFlow(config, { scope: "openid orders:read" });
    const seen = await client.tokenIntrospection(resourceServer, tokens.access_token);
    const { active, username, client_id, sub, aud, scope, token_type } = seen;
    assert.deepEqual(
      { active, username, client_id, sub, aud, scope, token_type },
      {
        active: true,
        username: ada.email,
        client_id: web.client_id,
        sub: claimsOf(tokens).sub,
        aud: [served.url],
        scope: "openid orders:read",
        token_type: "Bearer",
      },
    );
    await client.tokenRevocation(config, tokens.access_token);
    assert.deepEqual(await client.tokenIntrospection(resourceServer, tokens.access_token), { active: false });
  });

  test("C-4: a wrong secret is reported as a challenge or as invalid_client", async () => {
    const byHeader = await configured(machine, client.ClientSecretBasic("wrong"));
    await assert.rejects(client.clientCredentialsGrant(byHeader), (error) => {
      assert.ok(error instanceof client.WWWAuthenticateChallengeError);
      assert.equal(error.cause[0]?.scheme, "basic");
      return true;
    });
    const byForm = await configured(machine, client.ClientSecretPost("wrong"));
    await assert.rejects(client.clientCredentialsGrant(byForm), (error) => {
      assert.ok(
        error instanceof client.ResponseBodyError || error instanceof client.WWWAuthenticateChallengeError,
      );
      assert.equal(error.status, 401);
      return true;
    });
  });

  test("O-3: the logout URL that the library builds signs out immediately and returns to the application", async () => {
    const config = await basic();
    const browser = formBrowser();
    const { tokens } = await codeFlow(config, { browser });
    const state = client.randomState();
    const url = client.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token ?? "",
      post_logout_redirect_uri,
      state,
    });
    const page = await browser.get(url.href);
    assert.equal(page.location, `${post_logout_redirect_uri}?state=${state}`);
    const silent = codeFlow(config, { browser, parameters: { prompt: "none" } });
    await assert.rejects(silent, { error: "login_required" });
  });

  test("a complete flow works on PostgreSQL too, with the secret key as a setting", async (t) => {
    const database = await postgresDatabase();
    const POSTERN_SECRET_KEY = randomBytes(32).toString("base64");
    const environment = { POSTERN_DATABASE_URL: database.url, POSTERN_SECRET_KEY };
    const onPostgres = await servedProcess({ manifest, environment });
    t.after(async () => {
      await onPostgres.stop();
      await database.drop();
    });
    await wholeFlow(await configured(web, client.ClientSecretBasic(web.secret), onPostgres.url));
    const config = await configured(machine, client.ClientSecretBasic(machine.secret), onPostgres.url);
    const { token_type } = await client.clientCredentialsGrant(config, { scope: "orders:read" });
    assert.equal(token_type, "bearer");
  });
});
