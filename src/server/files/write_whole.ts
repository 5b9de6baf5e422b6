import { writeSync } from "node:fs";

/**
 * Writes all of the content. On a full disk, a single `writeSync` may write only the beginning and report no
 * error.
 */
export function writeWhole(file: number, content: string | Uint8Array): void {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}
