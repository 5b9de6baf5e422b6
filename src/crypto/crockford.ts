/** Crockford's base32, for strings that people copy, read aloud and type; it omits I, L, O and U. */

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

export function crockford(random: Uint8Array): string {
  // All characters are equally likely, because 256 is a multiple of 32.
  return Array.from(random, (byte) => alphabet[byte % 32]).join("");
}

/**
 * Normalizes a string that a user typed, and returns it if it then has the given number of characters.
 * Ignores case, dashes and spaces, and reads the letters O, I and L as the digits 0 and 1. Undefined for any
 * other string, and for one with more than four times as many characters.
 */
export function readCrockford(text: string, characters: number): string | undefined {
  if (text.length > 4 * characters) return undefined;
  const read = text.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  return read.length === characters && /^[0-9A-HJKMNP-TV-Z]*$/.test(read) ? read : undefined;
}
