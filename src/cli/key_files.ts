/** A client's private keys in files, for `postern perform`. */
import { readFile } from "node:fs/promises";
import type { CryptoKeyPair, JWK } from "oauth4webapi";
import { putFile } from "../server/files/draft.ts";

interface SigningAlgorithm {
  readonly name: string;
  readonly namedCurve?: string;
  readonly hash?: string;
}

/** The parameters for Web Cryptography, by the algorithm names of RFC 7518, RFC 8037 and RFC 9864. */
const signing: Readonly<Record<string, SigningAlgorithm>> = {
  ES256: { name: "ECDSA", namedCurve: "P-256" },
  ES384: { name: "ECDSA", namedCurve: "P-384" },
  ES512: { name: "ECDSA", namedCurve: "P-521" },
  RS256: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  PS256: { name: "RSA-PSS", hash: "SHA-256" },
  EdDSA: { name: "Ed25519" },
  Ed25519: { name: "Ed25519" },
};

const usualAlgorithms: Readonly<Record<string, string>> = {
  "P-256": "ES256",
  "P-384": "ES384",
  "P-521": "ES512",
  Ed25519: "Ed25519",
};

interface KeyPairOfFile extends CryptoKeyPair {
  readonly kid: string | undefined;
}

/** Reads the key pair of a private JWK (RFC 7517). Errors contain the path, but none of the content. */
export async function readKeyFile(path: string): Promise<KeyPairOfFile> {
  try {
    const jwk = JSON.parse(await readFile(path, "utf8")) as JWK;
    const algorithm = signing[jwk.alg ?? usualAlgorithms[jwk.crv ?? ""] ?? "RS256"];
    if (algorithm === undefined || jwk.d === undefined) throw new Error("no private key");
    const { kty, crv, x, y, n, e } = jwk;
    const open = { kty, crv, x, y, n, e } as JWK;
    const { alg: _, key_ops: __, use: ___, ...whole } = jwk;
    return {
      kid: jwk.kid,
      privateKey: await crypto.subtle.importKey("jwk", whole, algorithm, false, ["sign"]),
      publicKey: await crypto.subtle.importKey("jwk", open, algorithm, true, ["verify"]),
    };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") throw cause;
    throw new Error(`${path} does not contain a private key as a JWK`, { cause });
  }
}

/** Reads the key pair in the file, or creates the file with a new P-256 key, readable only by its owner. */
export async function readOrMakeKeyFile(path: string): Promise<KeyPairOfFile> {
  try {
    return await readKeyFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const made = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ]);
  const { kty, crv, x, y, d } = await crypto.subtle.exportKey("jwk", made.privateKey);
  await putFile(path, `${JSON.stringify({ kty, crv, x, y, d, alg: "ES256" })}\n`, { replace: false });
  return readKeyFile(path);
}
