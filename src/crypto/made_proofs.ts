/**
 * Creates DPoP proofs as a client does (RFC 9449, section 4.2). In the console's playground, the server acts
 * as a client.
 */
import { createPrivateKey, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { sha256Base64url } from "./digest.ts";
import { algorithms, publicJwkOf } from "./signing_algorithms.ts";

/** Returns a new P-256 private key in PEM (PKCS #8). */
export function newProofKey(): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

export interface ProvenRequest {
  readonly method: string;
  /** The URL of the request, without query and fragment. */
  readonly url: string;
  readonly access_token?: string | undefined;
  readonly nonce?: string | undefined;
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Returns the value of the `DPoP` header of one request. `key` is a result of `newProofKey`. */
export function makeProof(
  key: string,
  { method, url, access_token, nonce }: ProvenRequest,
  now: Date,
): string {
  const privateKey = createPrivateKey(key);
  const { digest, sign: signer } = algorithms.ES256;
  const header = { typ: "dpop+jwt", alg: "ES256", jwk: publicJwkOf(privateKey) };
  const claims = {
    jti: randomUUID(),
    htm: method,
    htu: url,
    iat: Math.floor(now.getTime() / 1000),
    ...(access_token !== undefined && { ath: sha256Base64url(access_token) }),
    ...(nonce !== undefined && { nonce }),
  };
  const input = `${encoded(header)}.${encoded(claims)}`;
  return `${input}.${sign(digest, Buffer.from(input), signer(privateKey)).toString("base64url")}`;
}
