/** Crockford's base32 (without I, L, O and U), for strings that people read aloud and type. */

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

export function crockford(random: Uint8Array): string {
  // All characters are equally likely, because 256 is a multiple of 32.
  return Array.from(random, (byte) => alphabet[byte % 32]).join("");
}

/**
 * Returns the canonical form of a typed string of this many characters, ignoring case, dashes and spaces.
 * Undefined for any other string.
 */
export function readCrockford(text: string, characters: number): string | undefined {
  if (text.length > 4 * characters) return undefined;
  const read = text.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  return read.length === characters && /^[0-9A-HJKMNP-TV-Z]*$/.test(read) ? read : undefined;
}
