import { createHash } from "node:crypto";

/** Returns the SHA-256 of the concatenated parts, in hexadecimal. */
export function digestOfParts(parts: Iterable<string | Uint8Array>): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}
