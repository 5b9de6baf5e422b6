/**
 * A client with oauth4webapi pushes its authorization requests, authenticates with private_key_jwt, and binds
 * its tokens to a DPoP key. jose verifies the id_tokens.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import * as oauth from "oauth4webapi";
import { noncePolicies, signingAlgorithms } from "../../src/records/names/names.ts";
import { basic } from "../support/flows.ts";
import { inForm } from "../support/form.ts";
import { formBrowser, goThrough } from "../support/form_browser.ts";
import { type ServedProcess, servedProcess } from "../support/process.ts";
import { ada, manifest, redirect_uri } from "./registrations.ts";

const http = { [oauth.allowInsecureRequests]: true };
const scope = "openid email offline_access";
const secret = "the secret of an app that names an algorithm";

interface Signer {
  readonly signing: oauth.CryptoKeyPair;
  readonly bound: oauth.CryptoKeyPair;
}

async function publicJwk({ publicKey }: oauth.CryptoKeyPair): Promise<object> {
  const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", publicKey);
  return { kty, crv, x, y, kid: "k1" };
}

for (const policy of inForm<readonly (typeof noncePolicies)[number][]>(["always"], noncePolicies))
  describe(`independent clients with DPoP-bound tokens, with the nonce policy ${policy}`, () => {
    let served: ServedProcess;
    let signer: Signer;
    const client: oauth.Client = { client_id: "signer", id_token_signed_response_alg: "ES256" };

    before(async () => {
      signer = { signing: await oauth.generateKeyPair("ES256"), bound: await oauth.generateKeyPair("ES256") };
      const usual = { owner: ada.email, redirect_uris: [redirect_uri], allowed_scopes: scope.split(" ") };
      const apps = [
        ...manifest.apps,
        {
          ...usual,
          ...client,
          name: "Signer",
          token_endpoint_auth_method: "private_key_jwt",
          jwks: { keys: [await publicJwk(signer.signing)] },
          require_pushed_authorization_requests: true,
          dpop_bound_access_tokens: true,
        },
        ...signingAlgorithms.map((id_token_signed_response_alg) => ({
          ...usual,
          client_id: id_token_signed_response_alg,
          name: id_token_signed_response_alg,
          id_token_signed_response_alg,
          first_party: true,
          secrets: [secret],
        })),
      ];
      const environment = {
        POSTERN_EXTRA_FEATURES: "par,dpop",
        POSTERN_EXTRA_CLIENT_AUTH: "private_key_jwt",
        POSTERN_DPOP_NONCE: policy,
      };
      served = await servedProcess({ manifest: { ...manifest, apps }, environment });
    });
    after(() => served.stop());

    /** Asserts that userinfo refuses the token without a proof, with either scheme. */
    async function isNoBearers(token: string): Promise<void> {
      for (const scheme of ["Bearer", "DPoP"]) {
        const headers = { authorization: `${scheme} ${token}` };
        const { status } = await fetch(`${served.url}/oauth/userinfo`, { headers });
        assert.equal(status, 401, scheme);
      }
    }

    test("PR-40, PR-49, PR-50: oauth4webapi pushes a request, signs in, refreshes and calls userinfo with its DPoP key", async () => {
      const issuer = new URL(served.url);
      const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, http));
      assert.ok(as.dpop_signing_alg_values_supported?.includes("ES256"));
      const authentication = oauth.PrivateKeyJwt({ key: signer.signing.privateKey, kid: "k1" });
      const DPoP = oauth.DPoP(client, signer.bound);
      let requested = 0;
      /** The library reports which responses require a nonce; one retry has to suffice. */
      async function twice<T>(attempt: () => Promise<T>): Promise<T> {
        try {
          return await attempt();
        } catch (error) {
          if (!oauth.isDPoPNonceError(error)) throw error;
          requested += 1;
          return attempt();
        }
      }
      const verifier = oauth.generateRandomCodeVerifier();
      const state = oauth.generateRandomState();
      const parameters = new URLSearchParams({
        response_type: "code",
        redirect_uri,
        scope,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        state,
      });
      const options = { ...http, DPoP };
      const { request_uri } = await twice(async () => {
        const sent = await oauth.pushedAuthorizationRequest(as, client, authentication, parameters, options);
        return oauth.processPushedAuthorizationResponse(as, client, sent);
      });
      const url = new URL(as.authorization_endpoint ?? "");
      url.search = new URLSearchParams({ client_id: client.client_id, request_uri }).toString();
      const callback = await goThrough(formBrowser(), url, ada);
      const answer = oauth.validateAuthResponse(as, client, callback, state);
      const tokens = await twice(async () => {
        const sent = await oauth.authorizationCodeGrantRequest(
          as,
          client,
          authentication,
          answer,
          redirect_uri,
          verifier,
          options,
        );
        return oauth.processAuthorizationCodeResponse(as, client, sent, { requireIdToken: true });
      });
      assert.equal(tokens.token_type, "dpop");
      const refreshed = await twice(async () => {
        const { refresh_token = "" } = tokens;
        const sent = await oauth.refreshTokenGrantRequest(as, client, authentication, refresh_token, options);
        return oauth.processRefreshTokenResponse(as, client, sent);
      });
      const sub = oauth.getValidatedIdTokenClaims(tokens)?.sub ?? "";
      const userinfo = await twice(async () => {
        const sent = await oauth.userInfoRequest(as, client, refreshed.access_token, options);
        return oauth.processUserInfoResponse(as, client, sub, sent);
      });
      assert.equal(userinfo.email, ada.email);
      // With the policy `always`, each response contains the nonce of the next request, so only the first
      // request is repeated.
      assert.equal(requested, policy === "always" ? 1 : 0);
      await isNoBearers(refreshed.access_token);
      const reported = await oauth.processIntrospectionResponse(
        as,
        client,
        await oauth.introspectionRequest(as, client, authentication, refreshed.access_token, http),
      );
      assert.deepEqual(
        [reported.active, reported.token_type, reported.cnf],
        [true, "DPoP", { jkt: await DPoP.calculateThumbprint() }],
      );
    });

    test("PR-54, PR-55: jose verifies id_tokens of every algorithm with only the published keys", async () => {
      const keys = createRemoteJWKSet(new URL(`${served.url}/.well-known/jwks.json`));
      const browser = formBrowser();
      for (const alg of signingAlgorithms) {
        const query = { response_type: "code", client_id: alg, redirect_uri, scope: "openid" };
        const callback = await goThrough(
          browser,
          `${served.url}/oauth/authorize?${new URLSearchParams(query)}`,
          ada,
        );
        const answer = await fetch(`${served.url}/oauth/token`, {
          method: "POST",
          headers: { authorization: basic(alg, secret) },
          body: new URLSearchParams({
            grant_type: "authorization_code",
            code: callback.searchParams.get("code") ?? "",
            redirect_uri,
          }),
        });
        const { id_token = "", access_token = "" } = (await answer.json()) as Record<string, string>;
        const expected = { issuer: served.url, audience: alg, algorithms: [alg] };
        const { payload, protectedHeader } = await jwtVerify(id_token, keys, expected);
        assert.deepEqual([protectedHeader.alg, payload.aud], [alg, alg]);
        const others = signingAlgorithms.filter((each) => each !== alg);
        await assert.rejects(jwtVerify(id_token, keys, { ...expected, algorithms: others }));
        assert.equal(decodeProtectedHeader(access_token).alg, "RS256");
        await jwtVerify(access_token, keys, { issuer: served.url, typ: "at+jwt", algorithms: ["RS256"] });
      }
    });
  });
