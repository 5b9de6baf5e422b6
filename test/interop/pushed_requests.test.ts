/** Pushed authorization requests (RFC 9126) as openid-client sends them, at a server that requires them. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import * as oauth from "oauth4webapi";
import * as client from "openid-client";
import { formBrowser, goThrough } from "../support/form_browser.ts";
import { type ServedProcess, servedProcess } from "../support/process.ts";
import { ada, manifest, redirect_uri, spa, web } from "./registrations.ts";

let served: ServedProcess;

const signer = { client_id: "signer" } as const;
let signingKey: CryptoKey;

before(async () => {
  const { privateKey, publicKey } = await oauth.generateKeyPair("ES256");
  signingKey = privateKey;
  const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", publicKey);
  const app = {
    ...signer,
    name: "Signer",
    owner: ada.email,
    redirect_uris: [redirect_uri],
    allowed_scopes: ["openid", "email"],
    token_endpoint_auth_method: "private_key_jwt",
    jwks: { keys: [{ kty, crv, x, y }] },
  };
  const environment = {
    POSTERN_EXTRA_FEATURES: "par",
    POSTERN_REQUIRE_PUSHED_REQUESTS: "on",
    POSTERN_EXTRA_CLIENT_AUTH: "private_key_jwt",
  };
  served = await servedProcess({ manifest: { ...manifest, apps: [...manifest.apps, app] }, environment });
});
after(() => served.stop());

describe("pushed authorization requests of independent clients", () => {
  test("PR-40: a user signs in through openid-client as a confidential, public and private_key_jwt client", async () => {
    const execute = [client.allowInsecureRequests];
    for (const [{ client_id }, authentication] of [
      [web, client.ClientSecretBasic(web.secret)],
      [web, client.ClientSecretPost(web.secret)],
      [spa, client.None()],
      [signer, client.PrivateKeyJwt(signingKey)],
    ] as const) {
      const issuer = new URL(served.url);
      const config = await client.discovery(issuer, client_id, undefined, authentication, { execute });
      assert.equal(config.serverMetadata().require_pushed_authorization_requests, true);
      const pkceCodeVerifier = client.randomPKCECodeVerifier();
      const expectedState = client.randomState();
      const parameters = {
        redirect_uri,
        scope: "openid email",
        code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: "S256",
        state: expectedState,
      };
      const url = await client.buildAuthorizationUrlWithPAR(config, parameters);
      assert.deepEqual([...url.searchParams.keys()].toSorted(), ["client_id", "request_uri"]);
      const callback = await goThrough(formBrowser(), url, ada);
      const checks = { pkceCodeVerifier, expectedState, idTokenExpected: true };
      const tokens = await client.authorizationCodeGrant(config, callback, checks);
      assert.equal(tokens.scope, "openid email");
      const refused = await goThrough(formBrowser(), client.buildAuthorizationUrl(config, parameters), ada);
      await assert.rejects(client.authorizationCodeGrant(config, refused, checks), {
        error: "invalid_request",
        error_description: /must use pushed/,
      });
    }
  });
});
