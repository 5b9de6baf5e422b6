import { createPublicKey, type KeyObject } from "node:crypto";

/** What a public key is, whatever its owner says of it. */
export interface PublicKeyFacts {
  readonly key_type: "rsa" | "ec";
  /** The algorithms it may sign with (RFC 7518 section 3.1), the usual one first. */
  readonly algorithms: readonly string[];
  /** The key as SubjectPublicKeyInfo in PEM: one text for one key. */
  readonly public_key_pem: string;
}

const algorithmOfCurve: Readonly<Record<string, string>> = {
  prime256v1: "ES256",
  secp384r1: "ES384",
  secp521r1: "ES512",
};

/**
 * Reads a PEM public key (`PUBLIC KEY` or `RSA PUBLIC KEY`) of RSA with 2048 bits or more, or of the curves P-256, P-384
 * and P-521 (RFC 7518 sections 3.3 and 3.4; requirements H-13). Answers a sentence, which never quotes the text, for
 * anything else; a private key is refused by that name, because it should not have been sent.
 */
export function readPublicKey(pem: string): PublicKeyFacts | string {
  if (pem.includes("PRIVATE KEY"))
    return "must be a public key; this is a private one and should be replaced";
  if (!/-----BEGIN (?:RSA )?PUBLIC KEY-----/.test(pem)) return "must be a public key in PEM";
  let key: KeyObject;
  try {
    key = createPublicKey(pem);
  } catch {
    return "must be a public key in PEM";
  }
  const public_key_pem = key.export({ type: "spki", format: "pem" }).toString();
  const { modulusLength = 0, namedCurve = "" } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === "rsa") {
    if (modulusLength < 2048) return `must have 2048 bits or more; this key has ${modulusLength}`;
    return { key_type: "rsa", algorithms: ["RS256", "RS384", "RS512"], public_key_pem };
  }
  const algorithm = algorithmOfCurve[namedCurve];
  if (key.asymmetricKeyType !== "ec" || algorithm === undefined) {
    return "must be an RSA key or a key of the curve P-256, P-384 or P-521";
  }
  return { key_type: "ec", algorithms: [algorithm], public_key_pem };
}
