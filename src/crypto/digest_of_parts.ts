import { createHash } from "node:crypto";

/** SHA-256 of these parts one after another, in hexadecimal. */
export function digestOfParts(parts: Iterable<string | Uint8Array>): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}
