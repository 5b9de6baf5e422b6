import { sha256 } from "./digest.ts";

/**
 * Returns the key of a provider account as 32 bytes. Subjects that differ in any byte have different keys
 * (EP-7).
 */
export function upstreamAccountKey(slug: string, subject: string): Buffer {
  return sha256(JSON.stringify([slug, subject]));
}
