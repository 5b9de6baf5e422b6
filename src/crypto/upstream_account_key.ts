import { sha256 } from "./digest.ts";

/**
 * Returns a 32-byte lookup key for an account at a provider (`slug`). Subjects that differ in any byte have
 * different keys (EP-7).
 */
export function upstreamAccountKey(slug: string, subject: string): Buffer {
  return sha256(JSON.stringify([slug, subject]));
}
