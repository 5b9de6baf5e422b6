import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import * as oauth from "oauth4webapi";
import { formBrowser, goThrough } from "../support/form_browser.ts";
import { type ServedProcess, servedProcess } from "../support/process.ts";
import { ada, machine, manifest, redirect_uri, second, spa, web } from "./registrations.ts";

let served: ServedProcess;
let as: oauth.AuthorizationServer;

/** Plain http is allowed for loopback only; the library requires an explicit option. */
const http = { [oauth.allowInsecureRequests]: true };

before(async () => {
  served = await servedProcess({ manifest });
  as = await discovered("oidc");
});
after(() => served.stop());

async function discovered(algorithm: "oidc" | "oauth2"): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(served.url);
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm, ...http }));
}

interface ClientFixture {
  readonly client: oauth.Client;
  readonly authentication: oauth.ClientAuth;
}

const basic = ({ client_id, secret }: { client_id: string; secret: string }): ClientFixture => ({
  client: { client_id },
  authentication: oauth.ClientSecretBasic(secret),
});

interface Requested {
  readonly parameters?: Record<string, string>;
  readonly decision?: "allow" | "deny";
}

/** Sends the browser through the authorization endpoint; returns the client's unvalidated result. */
async function authorized({ client }: ClientFixture, { parameters, decision }: Requested = {}) {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const nonce = oauth.generateRandomNonce();
  const url = new URL(as.authorization_endpoint ?? "");
  const query = {
    client_id: client.client_id,
    redirect_uri,
    response_type: "code",
    scope: "openid profile email",
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    nonce,
    ...parameters,
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return { callback: await goThrough(formBrowser(), url, ada, decision), verifier, state, nonce };
}

type Authorized = Awaited<ReturnType<typeof authorized>>;

async function exchanged(
  fixture: ClientFixture,
  { callback, verifier, state, nonce }: Authorized,
  requireIdToken = true,
) {
  const { client, authentication } = fixture;
  const answer = oauth.validateAuthResponse(as, client, callback, state);
  const response = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    authentication,
    answer,
    redirect_uri,
    verifier,
    http,
  );
  const expected = requireIdToken ? { expectedNonce: nonce, requireIdToken } : {};
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, expected);
  if (requireIdToken) await oauth.validateApplicationLevelSignature(as, response, http);
  return tokens;
}

async function refreshed({ client, authentication }: ClientFixture, refresh_token = "", scope?: string) {
  const additionalParameters = new URLSearchParams(scope === undefined ? {} : { scope });
  const options = { ...http, additionalParameters };
  const response = await oauth.refreshTokenGrantRequest(as, client, authentication, refresh_token, options);
  return oauth.processRefreshTokenResponse(as, client, response);
}

async function revoke({ client, authentication }: ClientFixture, token: string): Promise<void> {
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(as, client, authentication, token, http),
  );
}

/**
 * Returns a request as a resource server receives it, for the library's own check of JWT access tokens (RFC
 * 9068).
 */
const received = (access_token: string) =>
  new Request("https://orders.example/", { headers: { authorization: `Bearer ${access_token}` } });

describe("oauth4webapi", () => {
  test("D-7: discovery by OpenID Connect and by RFC 8414 return the same document", async () => {
    assert.deepEqual(await discovered("oauth2"), as);
  });

  const fixtures: Record<string, ClientFixture> = {
    "client_secret_basic, with characters that need encoding": basic(web),
    client_secret_post: {
      client: { client_id: web.client_id },
      authentication: oauth.ClientSecretPost(web.secret),
    },
    "no secret, as a public client": { client: { client_id: spa.client_id }, authentication: oauth.None() },
  };
  for (const [method, fixture] of Object.entries(fixtures)) {
    test(`code flow, userinfo, refresh and revocation work with ${method}`, async () => {
      const tokens = await exchanged(fixture, await authorized(fixture));
      const { sub } = oauth.getValidatedIdTokenClaims(tokens) ?? { sub: "" };
      const userinfo = await oauth.userInfoRequest(as, fixture.client, tokens.access_token, http);
      assert.equal((await oauth.processUserInfoResponse(as, fixture.client, sub, userinfo)).email, ada.email);

      const next = await refreshed(fixture, tokens.refresh_token, "openid");
      assert.equal(next.scope, "openid");
      const whole = await refreshed(fixture, next.refresh_token);
      assert.equal(whole.scope, "openid profile email", "R-6: narrowing is not sticky");

      await revoke(fixture, whole.refresh_token ?? "");
      await assert.rejects(refreshed(fixture, whole.refresh_token), { error: "invalid_grant" });
    });
  }

  test("T-14: the access token passes the library's RFC 9068 validation", async () => {
    const fixture = basic(web);
    const tokens = await exchanged(fixture, await authorized(fixture));
    const claims = await oauth.validateJwtAccessToken(as, received(tokens.access_token), served.url, http);
    assert.equal(claims.client_id, web.client_id);
    assert.equal(claims.scope, "openid profile email");
    assert.equal(claims.exp - claims.iat, 900);
    assert.ok(!JSON.stringify(claims).includes(ada.email));
    const id_token = received(tokens.id_token ?? "");
    await assert.rejects(
      oauth.validateJwtAccessToken(as, id_token, served.url, http),
      "I-5: an id_token is none",
    );
  });

  test("T-13: a machine client gets a token, with allowed scopes only", async () => {
    const { client, authentication } = basic(machine);
    const ask = async (scope: string) => {
      const parameters = new URLSearchParams({ scope });
      const response = await oauth.clientCredentialsGrantRequest(
        as,
        client,
        authentication,
        parameters,
        http,
      );
      return oauth.processClientCredentialsResponse(as, client, response);
    };
    assert.equal((await ask("orders:write")).scope, "orders:write");
    await assert.rejects(ask("openid"), { name: "ResponseBodyError", status: 400, error: "invalid_scope" });
  });

  test("A-18: a denial by the user raises an AuthorizationResponseError", async () => {
    const { callback, state } = await authorized(basic(second), { decision: "deny" });
    assert.throws(() => oauth.validateAuthResponse(as, { client_id: second.client_id }, callback, state), {
      name: "AuthorizationResponseError",
      error: "access_denied",
    });
  });

  test("A-17: the library refuses a response with another issuer's iss, and accepts this server's", async () => {
    const { callback, state } = await authorized(basic(web));
    assert.equal(callback.searchParams.get("iss"), served.url);
    callback.searchParams.set("iss", "https://attacker.example");
    assert.throws(() => oauth.validateAuthResponse(as, { client_id: web.client_id }, callback, state), /iss/);
  });

  test("T-9: a wrong PKCE verifier is reported as invalid_grant", async () => {
    const flow = await authorized(basic(web));
    const verifier = oauth.generateRandomCodeVerifier();
    await assert.rejects(exchanged(basic(web), { ...flow, verifier }), {
      name: "ResponseBodyError",
      status: 400,
      error: "invalid_grant",
    });
    assert.ok((await exchanged(basic(web), flow)).access_token, "T-10: the guess did not burn the code");
  });
});
