/**
 * Reads public keys from the header of the JWT that they verify (`jwk`, RFC 7515, section 4.1.3), as in DPoP
 * proofs. Such a key does not identify a client.
 */
import type { KeyObject } from "node:crypto";
import { compactVerify } from "jose";
import type { Assertion } from "./assertions.ts";
import { factsOf, keyOfJwk, privateMembers, thumbprintOf } from "./public_keys.ts";
import { algorithms, type SigningAlgorithm } from "./signing_algorithms.ts";

/** `Ed25519` is the name in RFC 9864, section 2.2 for `EdDSA` with this curve. */
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
  /** The SHA-256 thumbprint of the key in base64url (RFC 7638). */
  readonly thumbprint: string;
}

/**
 * Returns the key in a `jwk` header. `private`: it contains members of a private or symmetric key. `unfit`:
 * it is no usable JWK for the algorithm.
 */
export function readEmbeddedKey(jwk: unknown, algorithm: ProofAlgorithm): EmbeddedKey | "private" | "unfit" {
  if (typeof jwk !== "object" || jwk === null) return "unfit";
  if (privateMembers.some((name) => Object.hasOwn(jwk, name))) return "private";
  const key = keyOfJwk(jwk as Readonly<Record<string, unknown>>, ["RSA", "EC", "OKP"]);
  if (key === undefined || !algorithms[algorithmNames[algorithm]].fits(key)) return "unfit";
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
