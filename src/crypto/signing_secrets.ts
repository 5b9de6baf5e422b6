/** Reads private keys with which this server authenticates at external providers. */
import { createPrivateKey } from "node:crypto";

const pem = /^\s*-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----\s*$/;

/**
 * Returns a P-256 private key as PEM (PKCS #8) with the line breaks of RFC 7468, which single-line inputs
 * remove. Undefined for any other string.
 */
export function p256PrivateKey(text: string): string | undefined {
  const [, body] = pem.exec(text) ?? [];
  if (body === undefined) return undefined;
  const lines = body.replaceAll(/\s+/g, "").match(/.{1,64}/g) ?? [];
  const key = ["-----BEGIN PRIVATE KEY-----", ...lines, "-----END PRIVATE KEY-----", ""].join("\n");
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(key);
    return asymmetricKeyType === "ec" && asymmetricKeyDetails?.namedCurve === "prime256v1" ? key : undefined;
  } catch {
    return undefined;
  }
}
