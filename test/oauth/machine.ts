/** A service account with a key pair: its assertions, and its token requests. */
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import type { TokenResponse } from "../../src/oauth/core/authorization.ts";
import { token } from "../../src/oauth/token/token.ts";
import type { ServiceAccount, ServiceAccountKeyPair } from "../../src/records/definition/definition.ts";
import { grantNames } from "../../src/records/names/names.ts";
import { issuer, type TestServer } from "../support/authorization_server.ts";
import { aKeyPair, aServiceAccount } from "../support/builders.ts";
import { endpointRequest, type Parameters } from "../support/flows.ts";

export const jwtBearer = grantNames.jwt_bearer;

/** The setting that enables the grant. */
export const switchedOn = { extra_grants: [jwtBearer] } as const;

export interface Pair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** Creates a key pair for this algorithm. */
export function aPair(algorithm: string): Pair {
  if (algorithm.startsWith("RS")) return generateKeyPairSync("rsa", { modulusLength: 2048 });
  const curves: Record<string, string> = { ES256: "P-256", ES384: "P-384", ES512: "P-521" };
  return generateKeyPairSync("ec", { namedCurve: curves[algorithm] ?? "" });
}

export function pemOf({ publicKey }: Pair): string {
  return publicKey.export({ type: "spki", format: "pem" }).toString();
}

export interface Machine {
  readonly test: TestServer;
  readonly account: ServiceAccount;
  readonly key: ServiceAccountKeyPair;
  readonly pair: Pair;
  /** Returns the claims of a valid assertion, which differ each time. */
  claims(overrides?: Record<string, unknown>): Record<string, unknown>;
  /** Signs an assertion; the arguments replace claims and header, and undefined omits a claim. */
  assertion(
    overrides?: Record<string, unknown>,
    header?: Record<string, unknown>,
    by?: KeyObject,
  ): Promise<string>;
  /** Requests a token with an assertion made from these arguments. */
  present(...overrides: globalThis.Parameters<Machine["assertion"]>): Promise<TokenResponse>;
  /** Requests a token with these parameters, by default with a valid assertion. */
  exchange(parameters?: Parameters, authorization?: string): Promise<TokenResponse>;
}

interface Given {
  readonly algorithm?: string;
  readonly pair?: Pair;
  readonly account?: Partial<ServiceAccount>;
  readonly key?: Partial<ServiceAccountKeyPair>;
}

export async function aMachine(test: TestServer, overrides: Given = {}): Promise<Machine> {
  const { algorithm = "ES256", pair = aPair(algorithm) } = overrides;
  const created_at = test.clock.now();
  const account = await aServiceAccount(test.store, { created_at, ...overrides.account });
  const key = await aKeyPair(test.store, {
    service_account_id: account.id,
    algorithm: algorithm as ServiceAccountKeyPair["algorithm"],
    key_type: algorithm.startsWith("RS") ? "rsa" : "ec",
    public_key_pem: pemOf(pair),
    created_at,
    ...overrides.key,
  });
  const claims: Machine["claims"] = (replaced = {}) => {
    const now = Math.floor(test.clock.now().getTime() / 1000);
    const sound = { iss: account.id, sub: account.id, aud: issuer, exp: now + 60, iat: now };
    return { ...sound, jti: crypto.randomUUID(), ...replaced };
  };
  const assertion: Machine["assertion"] = (replaced, header = {}, by = pair.privateKey) =>
    new SignJWT(claims(replaced))
      .setProtectedHeader({ alg: algorithm, kid: key.key_id, typ: "JWT", ...header })
      .sign(by);
  const exchange: Machine["exchange"] = async (parameters = {}, authorization) => {
    const overrides = "assertion" in parameters ? {} : { assertion: await assertion() };
    const form = { grant_type: jwtBearer, ...overrides, ...parameters };
    return token(endpointRequest(form, authorization), test.server);
  };
  const present: Machine["present"] = async (...overrides) =>
    exchange({ assertion: await assertion(...overrides) });
  return { test, account, key, pair, claims, assertion, present, exchange };
}

/** Returns a compact JWS of the given parts; the last argument makes the signature. */
export function compact(header: unknown, claims: unknown, signature: string | Buffer = "AAAA"): string {
  const part = (value: unknown) =>
    Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
  const last = typeof signature === "string" ? signature : signature.toString("base64url");
  return `${part(header)}.${part(claims)}.${last}`;
}
