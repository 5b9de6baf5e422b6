import { sha256 } from "./digest.ts";

/** Returns the key of a provider account as 32 bytes; it distinguishes accounts byte for byte (EP-7). */
export function upstreamAccountKey(slug: string, subject: string): Buffer {
  return sha256(JSON.stringify([slug, subject]));
}
