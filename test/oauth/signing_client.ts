/** A client that authenticates by assertions that it signs (RFC 7523 2.2). */
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import { token } from "../../src/oauth/token/token.ts";
import type { OAuthApp } from "../../src/records/definition/definition.ts";
import type { JsonObject } from "../../src/records/definition/field.ts";
import { issuer, type TestServer } from "../support/authorization_server.ts";
import { anApp } from "../support/builders.ts";
import { endpointRequest, type Parameters } from "../support/flows.ts";
import { aPair, type Pair } from "./machine.ts";

export const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** The setting that enables the method. */
export const switchedOn = { extra_client_auth: ["private_key_jwt"] } as const;

/** Creates a key pair for any algorithm of clients. */
export function aClientPair(algorithm: string): Pair {
  return algorithm.startsWith("Ed") ? generateKeyPairSync("ed25519") : aPair(algorithm.replace(/^PS/, "RS"));
}

export function jwkOf({ publicKey }: Pair, members: JsonObject = {}): JsonObject {
  return { ...(publicKey.export({ format: "jwk" }) as JsonObject), ...members };
}

export interface SigningClient {
  readonly test: TestServer;
  readonly app: OAuthApp;
  readonly pair: Pair;
  /** Returns the claims of a valid assertion, which differ each time. */
  claims(overrides?: Record<string, unknown>): Record<string, unknown>;
  /** Signs an assertion; the arguments replace claims and header, and undefined omits one. */
  assertion(
    overrides?: Record<string, unknown>,
    header?: Record<string, unknown>,
    by?: KeyObject,
  ): Promise<string>;
  /** Requests a client credentials token with this assertion. */
  ask(client_assertion: string, overrides?: Parameters): ReturnType<typeof token>;
}

interface Given {
  readonly algorithm?: string;
  readonly pair?: Pair;
  readonly app?: Partial<OAuthApp>;
}

export async function aSigningClient(test: TestServer, overrides: Given = {}): Promise<SigningClient> {
  const { algorithm = "ES256", pair = aClientPair(algorithm) } = overrides;
  const app = await anApp(test.store, {
    created_at: test.clock.now(),
    allowed_grants: ["client_credentials"],
    token_endpoint_auth_method: "private_key_jwt",
    ...(overrides.app?.jwks_uri === undefined && { jwks: { keys: [jwkOf(pair, { kid: "k1" })] } }),
    ...overrides.app,
  });
  const claims: SigningClient["claims"] = (replaced = {}) => {
    const now = Math.floor(test.clock.now().getTime() / 1000);
    const sound = { iss: app.client_id, sub: app.client_id, aud: issuer, exp: now + 60, iat: now };
    return { ...sound, jti: crypto.randomUUID(), ...replaced };
  };
  return {
    test,
    app,
    pair,
    claims,
    assertion: (replaced, header = {}, by = pair.privateKey) =>
      new SignJWT(claims(replaced)).setProtectedHeader({ alg: algorithm, kid: "k1", ...header }).sign(by),
    ask: (client_assertion, parameters = {}) =>
      token(
        endpointRequest({
          grant_type: "client_credentials",
          scope: "orders:read",
          client_assertion_type: assertionType,
          client_assertion,
          ...parameters,
        }),
        test.server,
      ),
  };
}
