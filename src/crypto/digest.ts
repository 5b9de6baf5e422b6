import { createHash, hash } from "node:crypto";

export function sha256(text: string): Buffer {
  return hash("sha256", text, "buffer");
}

/**
 * Returns the SHA-256 in base64url without padding: a PKCE challenge (RFC 7636, section 4.2), the `ath` of a
 * DPoP proof (RFC 9449, section 4.2), or a thumbprint.
 */
export function sha256Base64url(text: string): string {
  return sha256(text).toString("base64url");
}

/**
 * Returns the bytes of an unpadded base64url string (RFC 4648, section 5). Undefined unless encoding those
 * bytes gives exactly this string: no padding, no other characters, no stray trailing bits. Without this
 * check, many strings would denote one token, because `Buffer.from` skips unknown characters (T-11).
 */
export function decodeBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : undefined;
}

export function digestOfParts(parts: Iterable<string | Uint8Array>): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}
