/**
 * Generates key pairs for clients and service accounts. The private key is returned once and never stored.
 */
import { generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { factsOf, type PublicKeyFacts } from "./public_keys.ts";

const newPair = promisify(generateKeyPair);

/** The curve of each ECDSA algorithm (RFC 7518, section 3.4). */
const curveOf: Readonly<Record<string, string>> = { ES256: "P-256", ES384: "P-384", ES512: "P-521" };

interface NewKeyPair {
  readonly facts: PublicKeyFacts;
  /** The unencrypted private key in PEM (PKCS #8). */
  readonly private_key_pem: string;
}

/**
 * Returns a new key pair for RS256, RS384, RS512 (3072-bit RSA), ES256, ES384 or ES512. Throws a TypeError
 * for other algorithms.
 */
export async function makeKeyPair(algorithm: string): Promise<NewKeyPair> {
  const { publicKey, privateKey } = await generate(algorithm);
  const facts = factsOf(publicKey);
  if ("code" in facts) throw new Error(`the generated key cannot be used: ${facts.code}`);
  return { facts, private_key_pem: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}

function generate(algorithm: string): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> {
  const namedCurve = Object.hasOwn(curveOf, algorithm) ? curveOf[algorithm] : undefined;
  if (namedCurve !== undefined) return newPair("ec", { namedCurve });
  if (!/^RS(?:256|384|512)$/.test(algorithm)) throw new TypeError("there is no key for this algorithm");
  // 3072-bit RSA is as strong as the curve P-256 (NIST SP 800-57 part 1, table 2).
  return newPair("rsa", { modulusLength: 3072, publicExponent: 0x10001 });
}
