/** A client that conforms to FAPI 2.0: it pushes, signs its assertions and proofs, and uses PKCE. */
import assert from "node:assert/strict";
import { SignJWT } from "jose";
import { pushRequest } from "../../src/oauth/authorize/push_request.ts";
import type { TokenResponse } from "../../src/oauth/core/authorization.ts";
import { token } from "../../src/oauth/token/token.ts";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import type { SignedIn } from "../../src/records/definition/request_origin.ts";
import { issuer, type TestServer } from "../support/authorization_server.ts";
import { anApp, aUser } from "../support/builders.ts";
import { aProof, aProofKey, type ProofKey, tokenUrl } from "../support/dpop.ts";
import {
  authorizeAndConsent,
  authorizeParameters,
  codeParameters,
  endpointRequest,
  type Parameters,
  signedIn,
} from "../support/flows.ts";
import { aClientPair, assertionType, jwkOf } from "./signing_client.ts";

/** The features that an app under the profile needs enabled. */
export const switchedOn = {
  extra_client_auth: ["private_key_jwt"],
  extra_features: ["dpop", "par"],
} as const;

export const redirect_uri = "https://app.example/cb";

/** The fields of a conforming app; the caller adds its keys. */
export const fitting = {
  profile: "fapi2",
  token_endpoint_auth_method: "private_key_jwt",
  redirect_uris: [redirect_uri],
} as const satisfies Partial<OAuthApp>;

interface Given {
  readonly app?: Partial<OAuthApp>;
  /** The algorithm of the client's assertions. */
  readonly algorithm?: string;
  /** The algorithm of its proofs. */
  readonly proof_algorithm?: string;
}

interface Replaced {
  readonly claims?: Record<string, unknown>;
  readonly header?: Record<string, unknown>;
  /** Undefined for no proof. */
  readonly proof?: Promise<string> | undefined;
}

export async function aFapiClient(
  test: TestServer,
  { app: members = {}, algorithm = "ES256", proof_algorithm }: Given = {},
) {
  const pair = aClientPair(algorithm);
  const app = await anApp(test.store, {
    created_at: test.clock.now(),
    allowed_grants: ["auth_code", "refresh", "client_credentials"],
    allowed_scopes: ["openid", "profile", "orders:read"],
    jwks: { keys: [jwkOf(pair, { kid: "k1" })] },
    ...fitting,
    ...members,
  });
  const who: SignedIn = await signedIn(test, await aUser(test.store, { created_at: test.clock.now() }));
  const key: ProofKey = aProofKey(proof_algorithm);

  function assertion({ claims, header }: Replaced = {}): Promise<string> {
    const now = Math.floor(test.clock.now().getTime() / 1000);
    const sound = { iss: app.client_id, sub: app.client_id, aud: issuer, exp: now + 60, iat: now };
    return new SignJWT({ ...sound, jti: crypto.randomUUID(), ...claims })
      .setProtectedHeader({ alg: algorithm, kid: "k1", ...header })
      .sign(pair.privateKey);
  }

  async function proven(parameters: Parameters, replaced: Replaced = {}, url = tokenUrl) {
    const { proof = aProof(test, key, { url }) } = replaced;
    const request = endpointRequest({
      client_assertion_type: assertionType,
      client_assertion: await assertion(replaced),
      ...parameters,
    });
    return {
      ...request,
      dpop: "proof" in replaced && replaced.proof === undefined ? undefined : await proof,
    };
  }

  const redeem = async (parameters: Parameters, replaced?: Replaced): Promise<TokenResponse> =>
    token(await proven(parameters, replaced), test.server);

  const push = async (overrides: Parameters = {}, replaced?: Replaced) =>
    pushRequest(
      await proven(authorizeParameters(app, overrides), replaced, `${issuer}/oauth/par`),
      test.server,
    );

  /** Returns the parameters of the redirect in the browser. */
  async function answered(overrides: Parameters = {}): Promise<URLSearchParams> {
    const { request_uri } = await push(overrides);
    return authorizeAndConsent(test, who, { client_id: app.client_id, request_uri });
  }

  async function code(overrides: Parameters = {}): Promise<string> {
    const answer = await answered(overrides);
    assert.ok(answer.has("code"), `${answer.get("error")}: ${answer.get("error_description")}`);
    return String(answer.get("code"));
  }

  return {
    test,
    app,
    who,
    key,
    assertion,
    proven,
    push,
    answered,
    code,
    redeem,
    exchange: (text: string, overrides: Parameters = {}, replaced?: Replaced) =>
      redeem(codeParameters(app, text, overrides), replaced),
    refresh: (refresh_token: string | undefined, overrides: Parameters = {}, replaced?: Replaced) =>
      redeem({ grant_type: "refresh_token", refresh_token, ...overrides }, replaced),
  };
}
