/** Private keys with which this server signs as a client of another provider. */
import { createPrivateKey } from "node:crypto";

const pem = /^\s*-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----\s*$/;

/**
 * Returns the PKCS #8 key in PEM with the line breaks of RFC 7468, which single-line inputs remove.
 * Undefined for anything but a private key on the curve P-256.
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
