/**
 * Public keys embedded in the JWT that they sign, such as a DPoP proof (RFC 7515, section 4.1.3). The
 * signature proves only that the sender holds the private half; the key does not identify a client.
 */
import type { KeyObject } from "node:crypto";
import { compactVerify } from "jose";
import type { Assertion } from "./assertions.ts";
import { factsOf, keyOfJwk, privateMembers, thumbprintOf } from "./public_keys.ts";
import { algorithms, type SigningAlgorithm } from "./signing_algorithms.ts";

/** `Ed25519` is the newer name of `EdDSA` with that curve (RFC 9864, section 2.2). */
const algorithmNames = {
  ES256: "ES256",
  EdDSA: "EdDSA",
  Ed25519: "EdDSA",
  PS256: "PS256",
  RS256: "RS256",
} as const satisfies Readonly<Record<string, SigningAlgorithm>>;

export type ProofAlgorithm = keyof typeof algorithmNames;

export const proofAlgorithms = Object.keys(algorithmNames) as readonly ProofAlgorithm[];

export function isProofAlgorithm(value: unknown): value is ProofAlgorithm {
  return typeof value === "string" && Object.hasOwn(algorithmNames, value);
}

export interface EmbeddedKey {
  readonly key: KeyObject;
  /** RFC 7638 thumbprint, SHA-256 in base64url: the same for every spelling of one key. */
  readonly thumbprint: string;
}

/**
 * Returns the key of a header's `jwk` for this algorithm. `private`: the JWK has fields of a private or
 * symmetric key. `unfit`: the value is not a JWK, or not a key of this algorithm; an RSA key needs 2048 to
 * 8192 bits.
 */
export function readEmbeddedKey(jwk: unknown, algorithm: ProofAlgorithm): EmbeddedKey | "private" | "unfit" {
  if (typeof jwk !== "object" || jwk === null) return "unfit";
  if (privateMembers.some((name) => Object.hasOwn(jwk, name))) return "private";
  const key = keyOfJwk(jwk as Readonly<Record<string, unknown>>, ["RSA", "EC", "OKP"]);
  if (key === undefined || !algorithms[algorithmNames[algorithm]].fits(key)) return "unfit";
  // `factsOf` limits size and exponent, as for every other RSA key that a client supplies.
  if (key.asymmetricKeyType === "rsa" && "code" in factsOf(key)) return "unfit";
  return { key, thumbprint: thumbprintOf(key) };
}

export async function isSignedByEmbedded(
  { text }: Assertion,
  { key }: EmbeddedKey,
  algorithm: ProofAlgorithm,
): Promise<boolean> {
  try {
    await compactVerify(text, key, { algorithms: [algorithm] });
    return true;
  } catch {
    return false;
  }
}
