/** The format of API keys, whose prefix and checksum let secret scanners recognize leaked keys. */
import { crc32 } from "node:zlib";
import { newCredential } from "./credentials.ts";
import { sha256 } from "./digest.ts";

export const apiKeyPrefix = "pak_";

/** Length in base64url of a 6-byte time and 32 random bytes. */
const bodyCharacters = 51;
const checksumCharacters = 6;

const shape = new RegExp(
  `^${apiKeyPrefix}[A-Za-z0-9_-]{${bodyCharacters}}[0-9A-Za-z]{${checksumCharacters}}$`,
);

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let place = 0; place < checksumCharacters; place++) {
    digits = base62.charAt(rest % base62.length) + digits;
    rest = Math.floor(rest / base62.length);
  }
  return digits;
}

/** Returns a new API key: a credential (`newCredential`) followed by its checksum. */
export function apiKeyText(now: Date): string {
  const text = newCredential(apiKeyPrefix, now);
  return text + checksumOf(text);
}

/** Returns whether a string has the format of an API key and a valid checksum. */
export function isApiKey(text: string): boolean {
  return (
    shape.test(text) && checksumOf(text.slice(0, -checksumCharacters)) === text.slice(-checksumCharacters)
  );
}

/** Returns the 32-byte SHA-256 of an API key, by which the database identifies the key. */
export function apiKeyHash(text: string): Buffer {
  return sha256(text);
}
