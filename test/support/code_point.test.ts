import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { codePoint } from "./code_point.ts";

test("a code point is one, no half of a pair, and the last ones occur, too", () => {
  fc.assert(
    fc.property(codePoint, (text) => text.isWellFormed() && [...text].length === 1),
    { examples: [["\0"], ["\ud7ff"], ["\ue000"], ["\u{10ffff}"]] },
  );
  const [widest] = fc.sample(fc.array(codePoint, { minLength: 2000, maxLength: 2000 }), {
    seed: 1,
    numRuns: 1,
  });
  const codes = (widest ?? []).map((text) => text.codePointAt(0) ?? 0);
  assert.ok(Math.max(...codes) > 0x10_0000 && Math.min(...codes) < 0x1_0000);
});

test("a failing text of them is shrunk", () => {
  const { counterexample } = fc.check(
    fc.property(fc.string({ unit: codePoint, maxLength: 20 }), (text) => !text.includes("€")),
    { examples: [["a text with € in it"]], numRuns: 1 },
  );
  assert.deepEqual(counterexample, ["€"]);
});
