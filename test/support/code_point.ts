import fc from "fast-check";

const surrogates = { first: 0xd800, count: 0x800 };

function ofIndex(index: number): string {
  return String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count);
}

function indexOf(text: unknown): number {
  const code = typeof text === "string" ? text.codePointAt(0) : undefined;
  if (code === undefined || String.fromCodePoint(code) !== text) throw new Error("it is no code point");
  return code < surrogates.first ? code : code - surrogates.count;
}

/**
 * Any code point that a text can contain: fast-check's "binary", which creates a map of a million of them in
 * each process that uses it.
 */
export const codePoint: fc.Arbitrary<string> = fc
  .nat({ max: 0x10ffff - surrogates.count })
  .map(ofIndex, indexOf);
