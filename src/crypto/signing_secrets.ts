/** Private keys with which this server signs for a client of its own at another provider. */
import { createPrivateKey } from "node:crypto";

/** The base64 of a key in PKCS #8, whatever white space a form left of its lines. */
const pem = /^\s*-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----\s*$/;

/**
 * The PKCS #8 key in PEM with line breaks as in RFC 7468, which one-line inputs remove. Undefined for
 * anything but a private key on the curve P-256.
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
