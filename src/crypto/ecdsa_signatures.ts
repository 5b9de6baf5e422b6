/**
 * Whether the bytes are an `Ecdsa-Sig-Value` in DER, and nothing besides: two positive integers, each in its
 * shortest form, for curves of up to 256 bits (RFC 3279 section 2.2.3, X.690 sections 8.3 and 10.1).
 *
 * Readers of BER take other lengths for the same signature, so one signature would have many forms.
 */
export function isDerEcdsaSignature(bytes: Uint8Array): boolean {
  const [sequence, length] = bytes;
  if (sequence !== tag.sequence || length !== bytes.length - 2) return false;
  const second = integerEnd(bytes, 2);
  return second !== undefined && integerEnd(bytes, second) === bytes.length;
}

const tag = { sequence: 0x30, integer: 0x02 } as const;
/** Of an integer of 256 bits, with the zero in front that keeps it positive. */
const mostBytes = 33;

/** Where the positive integer that begins here ends, if there is one. */
function integerEnd(bytes: Uint8Array, start: number): number | undefined {
  const [kind, length = 0, first = 0, next = 0] = bytes.subarray(start, start + 4);
  if (kind !== tag.integer || length < 1 || length > mostBytes) return undefined;
  const negative = first >= 0x80;
  const padded = first === 0 && (length === 1 || next < 0x80);
  return negative || padded ? undefined : start + 2 + length;
}
