import { createHash, createPublicKey, type JsonWebKeyInput, type KeyObject } from "node:crypto";
import { type Reason, reason } from "../errors/field_errors.ts";

export interface PublicKeyFacts {
  readonly key_type: "rsa" | "ec";
  /** The algorithms that fit the key, the usual one first (RFC 7518, section 3.1). */
  readonly algorithms: readonly string[];
  /** The public key in PEM (SubjectPublicKeyInfo), the same for every encoding of a key. */
  readonly public_key_pem: string;
  /** The SHA-256 thumbprint in base64url (RFC 7638). */
  readonly thumbprint: string;
}

const algorithmOfCurve: Readonly<Record<string, string>> = {
  prime256v1: "ES256",
  secp384r1: "ES384",
  secp521r1: "ES512",
};

const fewestBits = 2048;
/** Maximum bits of an RSA modulus, because the verification time grows with the square of its length. */
const mostBits = 8192;

const leastExponent = 65_537n;
/** A larger exponent makes verification slow, and any caller could send such a key. */
const mostExponent = 2n ** 32n;

const privateError = reason("private_key");

/** JWK members of private and symmetric keys (RFC 7518, sections 6.2.2, 6.3.2 and 6.4.1). */
export const privateMembers: readonly string[] = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/**
 * Reads a public key in PEM: RSA of 2048 to 8192 bits, P-256, P-384 or P-521 (RFC 7518; H-13). For any other
 * string, returns the reason for the refusal, which quotes no part of the string.
 */
export function readPublicKey(pem: string): PublicKeyFacts | Reason {
  if (pem.includes("PRIVATE KEY")) return privateError;
  if (!/-----BEGIN (?:RSA )?PUBLIC KEY-----/.test(pem)) return reason("not_pem");
  try {
    return factsOf(createPublicKey(pem));
  } catch {
    return reason("not_pem");
  }
}

/** Reads a public JWK of the key types of `readPublicKey`. */
export function readPublicJwk(jwk: Readonly<Record<string, unknown>>): PublicKeyFacts | Reason {
  if (privateMembers.some((name) => Object.hasOwn(jwk, name))) return privateError;
  const key = keyOfJwk(jwk, ["RSA", "EC"]);
  return key === undefined ? reason("not_public_jwk") : factsOf(key);
}

/** Members of public keys by type (RFC 7518, sections 6.2.1 and 6.3.1; RFC 8037, section 2). */
const publicMembers = {
  RSA: ["kty", "n", "e"],
  EC: ["kty", "crv", "x", "y"],
  OKP: ["kty", "crv", "x"],
} as const;
type JwkKind = keyof typeof publicMembers;

/**
 * Returns the public key of a JWK of one of these types; undefined for any other JWK. Ignores private
 * members.
 */
export function keyOfJwk(
  jwk: Readonly<Record<string, unknown>>,
  kinds: readonly JwkKind[],
): KeyObject | undefined {
  const kind = kinds.find((each) => each === jwk.kty);
  if (kind === undefined) return undefined;
  const members = Object.fromEntries(publicMembers[kind].map((name) => [name, jwk[name]]));
  if (Object.values(members).some((value) => typeof value !== "string")) return undefined;
  try {
    return createPublicKey({ key: members as JsonWebKeyInput["key"], format: "jwk" });
  } catch {
    return undefined;
  }
}

export function factsOf(key: KeyObject): PublicKeyFacts | Reason {
  const { modulusLength = 0, publicExponent = 0n, namedCurve = "" } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === "rsa") {
    if (modulusLength < fewestBits)
      return reason("key_too_short", { bits: fewestBits, actual: modulusLength });
    if (modulusLength > mostBits) return reason("key_too_long", { bits: mostBits, actual: modulusLength });
    // With small exponents such as 3, errors in padding checks allow forged signatures (FIPS 186-5, A.1.1).
    if (publicExponent < leastExponent || publicExponent > mostExponent || publicExponent % 2n === 0n) {
      return reason("unusual_exponent");
    }
    return { key_type: "rsa", algorithms: ["RS256", "RS384", "RS512"], ...textsOf(key) };
  }
  const algorithm = algorithmOfCurve[namedCurve];
  if (key.asymmetricKeyType !== "ec" || algorithm === undefined) {
    return reason("unsupported_key");
  }
  return { key_type: "ec", algorithms: [algorithm], ...textsOf(key) };
}

function textsOf(key: KeyObject): Pick<PublicKeyFacts, "public_key_pem" | "thumbprint"> {
  return {
    public_key_pem: key.export({ type: "spki", format: "pem" }).toString(),
    thumbprint: thumbprintOf(key),
  };
}

export function thumbprintOf(key: KeyObject): string {
  const { kty, crv, x, y, n, e } = key.export({ format: "jwk" });
  // Only the required members, in alphabetical order (RFC 7638, section 3.2). Ed25519 keys have no `y`.
  const required = JSON.stringify(kty === "RSA" ? { e, kty, n } : { crv, kty, x, y });
  return createHash("sha256").update(required).digest("base64url");
}
