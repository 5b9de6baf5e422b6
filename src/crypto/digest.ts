import { hash } from "node:crypto";

/** SHA-256 of the text as UTF-8: 32 bytes. */
export function sha256(text: string): Buffer {
  return hash("sha256", text, "buffer");
}

/** The PKCE challenge of a verifier under S256: base64url of its SHA-256 without padding (RFC 7636 4.2). */
export function challengeOf(verifier: string): string {
  return sha256(verifier).toString("base64url");
}
