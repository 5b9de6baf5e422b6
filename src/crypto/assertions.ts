/**
 * Assertions of service accounts and clients (RFC 7523). These signed JWTs are parsed without being
 * trusted, then verified with one key and only that key's algorithms.
 */
import {
  constants,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  verify,
} from "node:crypto";
import { compactVerify } from "jose";
import { perKey } from "../lazily.ts";
import { decodeBase64url } from "./digest.ts";

export interface Assertion {
  readonly text: string;
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

interface AssertionKey {
  readonly algorithms: readonly string[];
  readonly key: KeyObject;
}

interface KeyPairHalf {
  readonly algorithm: string;
  readonly public_key_pem: string;
}

/**
 * `other_algorithm`: the assertion is signed with this key, but with an algorithm that the key may not use.
 * `unverified`: the signature could not be verified for any other reason. Only a caller that holds the
 * private key can get the more specific result.
 */
type AssertionResult = "verified" | "other_algorithm" | "unverified";

/** In characters. Every valid assertion is shorter. A longer string is not decoded. */
const longestAssertion = 8192;

/**
 * Reads a compact JWS (RFC 7515, section 7.1) whose header and payload are JSON objects; undefined for any
 * other string. Never throws.
 */
export function readAssertion(text: string): Assertion | undefined {
  if (text.length > longestAssertion) return undefined;
  const parts = text.split(".", 4);
  if (parts.length !== 3) return undefined;
  const [header, claims] = parts.slice(0, 2).map(objectOf);
  const signature = decodeBase64url(parts[2] ?? "");
  if (header === undefined || claims === undefined || signature === undefined) return undefined;
  return { text, header, claims };
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function objectOf(part: string): Readonly<Record<string, unknown>> | undefined {
  const bytes = decodeBase64url(part);
  if (bytes === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the key of a key pair; undefined if its PEM is invalid. */
export function assertionKeyOf({ algorithm, public_key_pem }: KeyPairHalf): AssertionKey | undefined {
  try {
    return { algorithms: [algorithm], key: createPublicKey(public_key_pem) };
  } catch {
    return undefined;
  }
}

/**
 * Verifies the signature with this key and an algorithm of this key, whatever the header states (RFC 8725,
 * section 3.1). If `key` is undefined, verifies with a random key and returns `unverified`. The response time
 * therefore does not reveal whether the account exists.
 */
export async function verifyAssertion(
  { text, header }: Assertion,
  key: AssertionKey | undefined,
): Promise<AssertionResult> {
  const alg = typeof header.alg === "string" ? header.alg : "";
  const publicKey = key?.key ?? nobodysKey(alg);
  if (key === undefined || key.algorithms.includes(alg)) {
    try {
      await compactVerify(text, publicKey, { algorithms: [alg] });
      return key === undefined ? "unverified" : "verified";
    } catch {
      // Returning `unverified` here would be too early: the caller may have used this key with a wrong
      // algorithm.
    }
  }
  return isSignedBy(publicKey, text, alg) && key !== undefined ? "other_algorithm" : "unverified";
}

/** For an RSA key, `alg` only decides between PSS and PKCS #1 padding. */
function isSignedBy(publicKey: KeyObject, text: string, alg: string): boolean {
  const end = text.lastIndexOf(".");
  const input = Buffer.from(text.slice(0, end), "latin1");
  const signature = Buffer.from(text.slice(end + 1), "base64url");
  if (publicKey.asymmetricKeyType === "ed25519") return verify(null, input, publicKey, signature);
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  const key = { key: publicKey, dsaEncoding: "ieee-p1363", ...(alg.startsWith("PS") && pss) } as const;
  return ["sha256", "sha384", "sha512"].some((hash) => verify(hash, input, key, signature));
}

const curves: Readonly<Record<string, string>> = { ES256: "P-256", ES384: "P-384", ES512: "P-521" };

function nobodysKey(algorithm: string): KeyObject {
  return nobodysKeyOf(curves[algorithm] ?? (algorithm.startsWith("Ed") ? "Ed25519" : "RSA"));
}

const nobodysKeyOf = perKey((kind: string): KeyObject => {
  if (kind === "RSA") {
    return createPublicKey({ key: { kty: "RSA", n: randomModulus(), e: "AQAB" }, format: "jwk" });
  }
  return kind === "Ed25519"
    ? generateKeyPairSync("ed25519").publicKey
    : generateKeyPairSync("ec", { namedCurve: kind }).publicKey;
});

/** Verifying with a random odd number of 2048 bits takes as long as with a real modulus. */
function randomModulus(): string {
  const modulus = randomBytes(256);
  modulus[0] = (modulus[0] ?? 0) | 0x80;
  modulus[255] = (modulus[255] ?? 0) | 1;
  return modulus.toString("base64url");
}
