import { sha256 } from "./digest.ts";

/** The key of an account at a provider, byte for byte, as 32 bytes (EP-7). */
export function upstreamAccountKey(slug: string, subject: string): Buffer {
  return sha256(JSON.stringify([slug, subject]));
}
