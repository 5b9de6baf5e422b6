/**
 * Clients that authenticate with private_key_jwt, from the view of an independent library; the server runs in
 * a separate process.
 */
import assert from "node:assert/strict";
import { webcrypto } from "node:crypto";
import { after, before, describe, test } from "node:test";
import * as oauth from "oauth4webapi";
import { type ServedProcess, servedProcess } from "../support/process.ts";
import { ada } from "./registrations.ts";

/**
 * The Web Cryptography parameters of each algorithm. Keys are created with them, as the libraries require.
 */
const algorithms = {
  RS256: {
    name: "RSASSA-PKCS1-v1_5",
    hash: "SHA-256",
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  },
  PS256: {
    name: "RSA-PSS",
    hash: "SHA-256",
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  },
  ES256: { name: "ECDSA", namedCurve: "P-256" },
  EdDSA: { name: "Ed25519" },
  Ed25519: { name: "Ed25519" },
} as const;
type Algorithm = keyof typeof algorithms;
const names = Object.keys(algorithms) as Algorithm[];

const switchedOn = { POSTERN_EXTRA_CLIENT_AUTH: "private_key_jwt", POSTERN_EXTRA_FEATURES: "par" };
const http = { [oauth.allowInsecureRequests]: true };

async function keysFor(algorithm: Algorithm) {
  const pair = (await webcrypto.subtle.generateKey(algorithms[algorithm], true, [
    "sign",
    "verify",
  ])) as webcrypto.CryptoKeyPair;
  const jwk = await webcrypto.subtle.exportKey("jwk", pair.publicKey);
  const { kty, n, e, crv, x, y } = jwk;
  return { key: pair.privateKey, jwk: { kty, n, e, crv, x, y, kid: algorithm } };
}

describe("a client that authenticates with private_key_jwt", () => {
  let served: ServedProcess;
  let keys: Map<Algorithm, Awaited<ReturnType<typeof keysFor>>>;
  before(async () => {
    keys = new Map(await Promise.all(names.map(async (name) => [name, await keysFor(name)] as const)));
    const app = {
      owner: ada.email,
      app_type: "machine",
      token_endpoint_auth_method: "private_key_jwt",
      allowed_scopes: ["orders:read", "token:introspect"],
      allowed_grants: ["client_credentials"],
    };
    const manifest = {
      users: [ada],
      apps: [
        ...[...keys].map(([name, { jwk }]) => ({
          ...app,
          client_id: name,
          name,
          jwks: { keys: [JSON.parse(JSON.stringify(jwk))] },
        })),
      ],
    };
    served = await servedProcess({ manifest, environment: switchedOn });
  });
  after(() => served.stop());

  function keyOf(name: Algorithm) {
    const key = keys.get(name)?.key;
    assert.ok(key !== undefined);
    return { key, kid: name };
  }

  /** The library sends the newer name Ed25519 as `alg`; this function sets the older one, EdDSA. */
  const named = (name: Algorithm) => ({
    [oauth.modifyAssertion](header: Record<string, unknown>) {
      if (name === "EdDSA") header.alg = "EdDSA";
    },
  });

  test("PR-29, PR-36: oauth4webapi gets a token with each announced algorithm, introspects and revokes it", async () => {
    const issuer = new URL(served.url);
    const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, http));
    assert.ok(as.token_endpoint_auth_methods_supported?.includes("private_key_jwt"));
    for (const name of names) {
      assert.ok(as.token_endpoint_auth_signing_alg_values_supported?.includes(name), name);
      const client = { client_id: name };
      const authentication = oauth.PrivateKeyJwt(keyOf(name), named(name));
      const answer = await oauth.processClientCredentialsResponse(
        as,
        client,
        await oauth.clientCredentialsGrantRequest(as, client, authentication, { scope: "orders:read" }, http),
      );
      const { access_token } = answer;
      const introspected = async () =>
        oauth.processIntrospectionResponse(
          as,
          client,
          await oauth.introspectionRequest(as, client, authentication, access_token, http),
        );
      assert.equal((await introspected()).active, true, name);
      await oauth.processRevocationResponse(
        await oauth.revocationRequest(as, client, authentication, access_token, http),
      );
      assert.equal((await introspected()).active, false, name);
    }
  });
});
