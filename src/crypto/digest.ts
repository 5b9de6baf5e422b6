import { createHash, hash } from "node:crypto";

export function sha256(text: string): Buffer {
  return hash("sha256", text, "buffer");
}

/** Returns the SHA-256 in unpadded base64url, as in PKCE challenges (RFC 7636, section 4.2). */
export function sha256Base64url(text: string): string {
  return sha256(text).toString("base64url");
}

/**
 * Decodes unpadded base64url (RFC 4648, section 5). Undefined for any string that is not the canonical
 * encoding of its bytes, so that no two strings denote the same token (T-11).
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
