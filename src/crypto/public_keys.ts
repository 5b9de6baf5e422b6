import { createHash, createPublicKey, type JsonWebKeyInput, type KeyObject } from "node:crypto";
import { type Reason, reason } from "../errors/field_errors.ts";

export interface PublicKeyFacts {
  readonly key_type: "rsa" | "ec";
  /** The algorithms that the key may sign with (RFC 7518, section 3.1), the usual one first. */
  readonly algorithms: readonly string[];
  /** The key as SubjectPublicKeyInfo in PEM: the same text for every encoding of one key. */
  readonly public_key_pem: string;
  /** The RFC 7638 SHA-256 thumbprint, in base64url. */
  readonly thumbprint: string;
}

const algorithmOfCurve: Readonly<Record<string, string>> = {
  prime256v1: "ES256",
  secp384r1: "ES384",
  secp521r1: "ES512",
};

const fewestBits = 2048;
/** Verification time grows with the square of the length. */
const mostBits = 8192;

const leastExponent = 65_537n;
/**
 * With an exponent as long as the modulus, verifying is as slow as signing, and any caller could send such
 * a key.
 */
const mostExponent = 2n ** 32n;

const privateError = reason("private_key");

/** JWK members that only a private or symmetric key has (RFC 7518, sections 6.2.2, 6.3.2 and 6.4.1). */
export const privateMembers: readonly string[] = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/**
 * Reads a PEM public key (`PUBLIC KEY` or `RSA PUBLIC KEY`): RSA with 2048 to 8192 bits, or the curves P-256,
 * P-384 and P-521 (RFC 7518, sections 3.3 and 3.4; H-13). For any other string, returns the reason without
 * quoting the string. A private key has its own reason, because it should not have been sent.
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

/**
 * Reads a public JWK (RFC 7517; RFC 7518, sections 6.2.1 and 6.3.1) of the same key types as `readPublicKey`,
 * with the same errors. Members that describe the use of the key (`kid`, `alg`, `use`, …) are ignored.
 */
export function readPublicJwk(jwk: Readonly<Record<string, unknown>>): PublicKeyFacts | Reason {
  if (privateMembers.some((name) => Object.hasOwn(jwk, name))) return privateError;
  const key = keyOfJwk(jwk, ["RSA", "EC"]);
  return key === undefined ? reason("not_public_jwk") : factsOf(key);
}

/** RFC 7518, sections 6.2.1 and 6.3.1; RFC 8037, section 2. */
const publicMembers = {
  RSA: ["kty", "n", "e"],
  EC: ["kty", "crv", "x", "y"],
  OKP: ["kty", "crv", "x"],
} as const;
type JwkKind = keyof typeof publicMembers;

/**
 * Returns the key of a JWK of one of these kinds, read only from its public members; undefined for any other
 * JWK.
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
    // FIPS 186-5 A.1.1. With small exponents, such as 3, an error in the padding check allows forged
    // signatures.
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
  // RFC 7638, section 3.2: only the required members, in the order of their names. A key of RFC 8037 has no
  // y.
  const required = JSON.stringify(kty === "RSA" ? { e, kty, n } : { crv, kty, x, y });
  return createHash("sha256").update(required).digest("base64url");
}
