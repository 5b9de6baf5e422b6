/** Bech32 (BIP 173), the encoding of age keys, without a length limit. */

const alphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const checksumLength = 6;

function checksum(values: readonly number[]): number {
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    for (const [index, generator] of generators.entries()) if ((top >> index) & 1) sum ^= generator;
  }
  return sum >>> 0;
}

/** Returns the bytes of a lowercase text with this prefix; undefined for any other text. */
export function decodeBech32(prefix: string, text: string): Buffer | undefined {
  if (!text.startsWith(`${prefix}1`)) return undefined;
  const digits = Array.from(text.slice(prefix.length + 1), (digit) => alphabet.indexOf(digit));
  if (digits.length < checksumLength || digits.includes(-1)) return undefined;
  const codes = Array.from(prefix, (character) => character.charCodeAt(0));
  const expanded = [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
  if (checksum([...expanded, ...digits]) !== 1) return undefined;
  const bits = digits
    .slice(0, -checksumLength)
    .flatMap((digit) => [16, 8, 4, 2, 1].map((bit) => digit & bit));
  const bytes: number[] = [];
  for (let at = 0; at + 8 <= bits.length; at += 8)
    bytes.push(bits.slice(at, at + 8).reduce((byte, bit) => byte * 2 + (bit > 0 ? 1 : 0), 0));
  const padding = bits.slice(bytes.length * 8);
  return padding.length < 5 && padding.every((bit) => bit === 0) ? Buffer.from(bytes) : undefined;
}
