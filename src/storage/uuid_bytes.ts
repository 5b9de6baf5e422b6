/**
 * UUIDs as SQLite holds them, 16 bytes (RFC 9562 section 4). Each statement takes and gives several; by way
 * of `Buffer.from` a text takes five times as long.
 */

/** Where the two digits of each byte begin in the text. */
const starts = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;
const hyphens = [8, 13, 18, 23] as const;

const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** The value of a digit by its character code; -1 for every other character of ASCII. */
const digitValues = Int8Array.from({ length: 128 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? -1 : value;
});

function digitAt(text: string, index: number): number {
  return digitValues[text.charCodeAt(index)] ?? -1;
}

/**
 * Throws a TypeError where the text is none. PostgreSQL refuses it as well; a shorter id would be stored or
 * looked for here without a word.
 */
export function uuidToBytes(uuid: string): Buffer {
  const bytes = Buffer.allocUnsafe(16);
  // Negative from the first character on that is no digit.
  let all = uuid.length === 36 && hyphens.every((index) => uuid[index] === "-") ? 0 : -1;
  for (let index = 0; index < 16; index++) {
    const start = starts[index] ?? 0;
    const byte = (digitAt(uuid, start) << 4) | digitAt(uuid, start + 1);
    all |= byte;
    bytes[index] = byte;
  }
  if (all < 0) throw new TypeError("not a UUID");
  return bytes;
}

/** With small letters. */
export function bytesToUuid(bytes: Uint8Array): string {
  let text = "";
  for (let index = 0; index < 16; index++) {
    if (index === 4 || index === 6 || index === 8 || index === 10) text += "-";
    text += hexOfByte[bytes[index] ?? 0];
  }
  return text;
}
