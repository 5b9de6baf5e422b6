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
 * Any code point that a text can contain. fast-check's "binary" is not used, because it creates a map of a
 * million of them in each process.
 */
export const codePoint: fc.Arbitrary<string> = fc
  .nat({ max: 0x10ffff - surrogates.count })
  .map(ofIndex, indexOf);

const pathCharacter = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(..."abcXYZ019-._~!$&'()*+,;=:@") },
  { weight: 1, arbitrary: codePoint.map(encodeURIComponent) },
);
const segments = fc.array(fc.string({ unit: pathCharacter, maxLength: 8 }), { maxLength: 4 });

/** A path (RFC 3986 3.3), empty or absolute; fast-check's own arbitrary also creates such a map. */
export const uriPath: fc.Arbitrary<string> = segments.map((all) => all.map((each) => `/${each}`).join(""));

/** A query (RFC 3986 3.4) with its question mark, in half of the cases an empty text. */
export const uriQuery: fc.Arbitrary<string> = fc.oneof(
  fc.constant(""),
  fc.string({ unit: fc.oneof(pathCharacter, fc.constantFrom("/", "?")) }).map((text) => `?${text}`),
);

/** An http or https URL of a domain, in half of the cases with a query or a fragment. */
export const webUrl: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom("http://", "https://"),
    fc.domain(),
    uriPath,
    uriQuery,
    fc.constantFrom("", "#", "#x"),
  )
  .map((parts) => parts.join(""));
