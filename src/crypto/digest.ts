import { hash } from "node:crypto";

/** SHA-256 of the text as UTF-8: 32 bytes. */
export function sha256(text: string): Buffer {
  return hash("sha256", text, "buffer");
}

/** The same in base64url without padding: a PKCE challenge (RFC 7636 4.2), `ath`, a thumbprint. */
export function sha256Base64url(text: string): string {
  return sha256(text).toString("base64url");
}
