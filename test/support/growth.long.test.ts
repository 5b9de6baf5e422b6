import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { altered } from "./altered.ts";
import { assertLinear } from "./growth.ts";
import { until } from "./until.ts";

/** Touches each character `times` times. */
function walk(size: number, times: number): number {
  let sum = 0;
  for (let index = 0; index < size; index++)
    for (let turn = 0; turn < times; turn++) sum = (sum + index * turn) | 0;
  return sum;
}

describe("measuring helpers of the tests", () => {
  test("linear work passes, quadratic work fails", () => {
    assertLinear((size) => walk(size, 100), 20_000);
    assert.throws(() => assertLinear((size) => walk(size, size), 1_000), /grows faster/);
  });

  test("an altered text differs, whatever alphabet its letters have", () => {
    for (const text of ["A", "AA", "B", "abc", "AAAA", "….…"]) {
      assert.notEqual(altered(text), text);
      assert.equal(altered(text).length, text.length);
    }
    assert.throws(() => altered(""), RangeError);
  });

  test("waiting ends with the condition, or names it on a timeout", async () => {
    let requested = 0;
    await until(() => ++requested === 3, "the third time");
    assert.equal(requested, 3);
    await assert.rejects(
      until(() => false, "never", { seconds: 0.02 }),
      /in vain: never/,
    );
  });
});
