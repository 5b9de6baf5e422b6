/** Verifies JWTs with which clients and service accounts authenticate (assertions, RFC 7523). */
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
 * `other_algorithm`: the key signed the assertion, but with an algorithm that is not registered for it. Only
 * the owner of the private key can cause this result.
 */
type AssertionResult = "verified" | "other_algorithm" | "unverified";

const longestAssertion = 8192;

/**
 * Parses a JWT in compact form (RFC 7515, section 7.1) of at most 8192 characters, without verifying it;
 * undefined for any other string.
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

/** Returns the verification key of a registered key pair; undefined if the PEM text is invalid. */
export function assertionKeyOf({ algorithm, public_key_pem }: KeyPairHalf): AssertionKey | undefined {
  try {
    return { algorithms: [algorithm], key: createPublicKey(public_key_pem) };
  } catch {
    return undefined;
  }
}

/**
 * Verifies the signature of an assertion with the algorithms registered for the key (RFC 8725, section 3.1).
 * Without a key, verifies with a random one, so the response time does not reveal whether the client or
 * account exists.
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
      // The key may have signed with an algorithm that is not registered for it, which is checked next.
    }
  }
  return isSignedBy(publicKey, text, alg) && key !== undefined ? "other_algorithm" : "unverified";
}

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

/** Verification with a random odd 2048-bit number takes as long as with a real modulus. */
function randomModulus(): string {
  const modulus = randomBytes(256);
  modulus[0] = (modulus[0] ?? 0) | 0x80;
  modulus[255] = (modulus[255] ?? 0) | 1;
  return modulus.toString("base64url");
}
