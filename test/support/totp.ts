/** Computes the codes of an authenticator app from RFC 4648, RFC 4226 and RFC 6238 alone. */
import { createHmac } from "node:crypto";

/** RFC 4648 section 6, without padding. */
function fromBase32(text: string): Buffer {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...text].map((message) => alphabet.indexOf(message).toString(2).padStart(5, "0")).join("");
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

/** Returns the code of an app with this secret at a time, shifted by `off` steps of 30 seconds. */
export function totpCode(secret: string, at: Date, off = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at.getTime() / 30_000) + off));
  const digest = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** Returns a code that is valid in none of the steps around this time. */
export function wrongTotpCode(secret: string, at: Date): string {
  const near = new Set(Array.from({ length: 41 }, (_, index) => totpCode(secret, at, index - 20)));
  for (let code = 0; ; code++) {
    const digits = String(code).padStart(6, "0");
    if (!near.has(digits)) return digits;
  }
}
