/**
 * The text of an API key: recognizable by its prefix and its checksum, so that leaked ones can be scanned
 * for.
 */
import { crc32 } from "node:zlib";
import { newCredential } from "./credentials.ts";
import { sha256 } from "./digest.ts";

/** The prefix of an API key, by which a leaked one is recognized. */
export const apiKeyPrefix = "pak_";

/** base64url of 6 bytes of time and 32 random ones. */
const bodyCharacters = 51;
const checksumCharacters = 6;

const shape = new RegExp(
  `^${apiKeyPrefix}[A-Za-z0-9_-]{${bodyCharacters}}[0-9A-Za-z]{${checksumCharacters}}$`,
);

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The CRC-32 of the text (ISO 3309, as in zip) in 6 digits of base 62, the highest first. */
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
 * A new API key: `pak_` + base64url(6 bytes of Unix milliseconds, big-endian ‖ 32 random bytes) + the
 * checksum of the text before it. 256 bits come from the CSPRNG. The checksum proves only that the text is a
 * whole key.
 */
export function apiKeyText(now: Date): string {
  const text = newCredential(apiKeyPrefix, now);
  return text + checksumOf(text);
}

/**
 * Whether the text is of the shape of an API key and its checksum is right. Anything else is none, without a
 * look-up.
 */
export function isApiKey(text: string): boolean {
  return (
    shape.test(text) && checksumOf(text.slice(0, -checksumCharacters)) === text.slice(-checksumCharacters)
  );
}

/** The stored form of an API key, by which it is looked up (spec 2.5, section 5): 32 bytes of SHA-256. */
export function apiKeyHash(text: string): Buffer {
  return sha256(text);
}
