/** The keys to which clients bind their tokens, and the proofs that they sign (RFC 9449). */
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import { sha256Base64url } from "../../src/crypto/digest.ts";
import { issuer, type TestServer } from "./authorization_server.ts";

export const tokenUrl = `${issuer}/oauth/token`;
export const userinfoUrl = `${issuer}/oauth/userinfo`;

/** The setting that enables DPoP. */
export const dpopOn = { extra_features: ["dpop"] } as const;

export interface ProofKey {
  readonly alg: string;
  readonly privateKey: KeyObject;
  /** The public half, as in a proof. */
  readonly jwk: Readonly<Record<string, unknown>>;
  readonly thumbprint: string;
}

const makers: Readonly<Record<string, () => { privateKey: KeyObject; publicKey: KeyObject }>> = {
  ES256: () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
  ES384: () => generateKeyPairSync("ec", { namedCurve: "P-384" }),
  EdDSA: () => generateKeyPairSync("ed25519"),
  Ed25519: () => generateKeyPairSync("ed25519"),
  RS256: () => generateKeyPairSync("rsa", { modulusLength: 2048 }),
  PS256: () => generateKeyPairSync("rsa", { modulusLength: 2048 }),
};

/** Returns the thumbprint of RFC 7638 3, computed independently of the server. */
function thumbprintOf({ kty, crv, x, y, n, e }: Readonly<Record<string, unknown>>): string {
  const members = kty === "RSA" ? { e, kty, n } : kty === "EC" ? { crv, kty, x, y } : { crv, kty, x };
  return sha256Base64url(JSON.stringify(members));
}

export function aProofKey(alg = "ES256"): ProofKey {
  const pair = makers[alg]?.();
  if (pair === undefined) throw new Error(`no key of ${alg}`);
  const jwk = pair.publicKey.export({ format: "jwk" }) as Readonly<Record<string, unknown>>;
  return { alg, privateKey: pair.privateKey, jwk, thumbprint: thumbprintOf(jwk) };
}

interface Given {
  readonly method?: string;
  readonly url?: string;
  /** The access token that is sent with the proof. */
  readonly access_token?: string;
  /** Replace claims and header; undefined omits a member. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
}

/** Signs a proof, by default for the token endpoint. */
export function aProof(
  { clock }: Pick<TestServer, "clock">,
  key: ProofKey,
  { method = "POST", url = tokenUrl, access_token, claims, header }: Given = {},
): Promise<string> {
  const sound = {
    jti: crypto.randomUUID(),
    htm: method,
    htu: url,
    iat: Math.floor(clock.now().getTime() / 1000),
    ...(access_token !== undefined && { ath: sha256Base64url(access_token) }),
  };
  return new SignJWT({ ...sound, ...claims })
    .setProtectedHeader({ alg: key.alg, typ: "dpop+jwt", jwk: key.jwk, ...header })
    .sign(key.privateKey);
}
