/** Crockford's base32, for what people copy, read out and type: no I, L, O and U. */

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A character of 5 random bits for each random byte. */
export function crockford(random: Uint8Array): string {
  // 256 is a multiple of 32, so each character is as likely as any other.
  return Array.from(random, (byte) => alphabet[byte % 32]).join("");
}

/**
 * The given number of characters from a typed text: in any case, with dashes and spaces anywhere, and with
 * letters that look like digits read as digits (O, I, L). Undefined if there are too few, or the text has
 * more than four times as many characters.
 */
export function readCrockford(text: string, characters: number): string | undefined {
  if (text.length > 4 * characters) return undefined;
  const read = text.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  return read.length === characters && /^[0-9A-HJKMNP-TV-Z]*$/.test(read) ? read : undefined;
}
