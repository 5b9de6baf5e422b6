/** The format of API keys. Prefix and checksum let scanners recognize leaked keys. */
import { crc32 } from "node:zlib";
import { newCredential } from "./credentials.ts";
import { sha256 } from "./digest.ts";

export const apiKeyPrefix = "pak_";

/** base64url of a 6-byte time and 32 random bytes. */
const bodyCharacters = 51;
const checksumCharacters = 6;

const shape = new RegExp(
  `^${apiKeyPrefix}[A-Za-z0-9_-]{${bodyCharacters}}[0-9A-Za-z]{${checksumCharacters}}$`,
);

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Returns the CRC-32 (ISO 3309, as in zip) as 6 base-62 digits, most significant first. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let place = 0; place < checksumCharacters; place++) {
    digits = base62.charAt(rest % base62.length) + digits;
    rest = Math.floor(rest / base62.length);
  }
  return digits;
}

/**
 * Returns a new API key: `pak_` + base64url(6 bytes of Unix milliseconds, big-endian ‖ 32 random bytes) + the
 * checksum of everything before it. The 256 random bits come from the CSPRNG. The checksum proves only that
 * the key is complete.
 */
export function apiKeyText(now: Date): string {
  const text = newCredential(apiKeyPrefix, now);
  return text + checksumOf(text);
}

/**
 * Returns whether a string has the shape and the checksum of an API key. Callers reject any other string
 * without a look-up.
 */
export function isApiKey(text: string): boolean {
  return (
    shape.test(text) && checksumOf(text.slice(0, -checksumCharacters)) === text.slice(-checksumCharacters)
  );
}

/**
 * Returns the hash that the database stores for an API key, and by which the key is looked up: 32 bytes of
 * SHA-256.
 */
export function apiKeyHash(text: string): Buffer {
  return sha256(text);
}
