import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { matchesPattern, parsePattern } from "../../src/records/names/linear_pattern.ts";

const quantifier = fc.constantFrom("", "*", "+", "?", "{2}", "{1,3}", "{2,}");
const character = fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "[a-c]", "\\d", "\\.", "é", "😀");
const pattern = fc
  .array(fc.tuple(character, quantifier), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.flat().join(""));
const subject = fc.string({ unit: fc.constantFrom("a", "b", "c", "1", ".", "é", "😀"), maxLength: 12 });

test("OC-7: an attribute's pattern matches the same texts as the regular expression with that spelling", () => {
  fc.assert(
    fc.property(pattern, subject, (text, value) => {
      const parsed = parsePattern(text);
      assert.ok(parsed !== undefined, text);
      assert.equal(matchesPattern(parsed, value), new RegExp(`^(?:${text})$`, "su").test(value), text);
    }),
    { numRuns: 2000 },
  );
});

test("OC-7: an attribute's pattern with groups, alternatives or references, or that is too large, is refused", () => {
  for (const text of [
    "",
    "(a)",
    "a|b",
    "(a+)+",
    "\\1",
    "\\bx",
    "a**",
    "*",
    "a{2,1}",
    "a{0}",
    "[b-a]",
    "[",
    "^a",
    "a$",
  ])
    assert.equal(parsePattern(text), undefined, text);
  assert.equal(parsePattern("[a-z]{200}[a-z]{200}"), undefined);
});

test("OC-7: the time to match an attribute's pattern grows with the text's length, not with its ambiguity", () => {
  const parsed = parsePattern(`${"a*".repeat(90)}b`);
  assert.ok(parsed);
  let asked = 0;
  const counted = parsed.map((place) => ({
    ...place,
    fits: (one: string) => {
      asked++;
      return place.fits(one);
    },
  }));
  assert.equal(matchesPattern(counted, "a".repeat(1000)), false);
  assert.ok(asked <= 1000 * 91 * 2, `${asked} comparisons`);
});
