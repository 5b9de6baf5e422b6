/** Ids that people copy, read out and type: 10 characters of Crockford's base32, 50 random bits. */
import { randomBytes } from "node:crypto";

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const characters = 10;

export function newShortId(): string {
  // 256 is a multiple of 32, so each character is as likely as any other.
  return Array.from(randomBytes(characters), (byte) => alphabet[byte % 32]).join("");
}

/**
 * The id in a typed text: in any case, with dashes and spaces anywhere, and with the letters that look like
 * digits read as those (O, I, L). Undefined when it is none.
 */
export function readShortId(text: string): string | undefined {
  if (text.length > 40) return undefined;
  const id = text.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  return /^[0-9A-HJKMNP-TV-Z]{10}$/.test(id) ? id : undefined;
}
