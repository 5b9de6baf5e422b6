import assert from "node:assert/strict";
import { test } from "node:test";
import { settledClock } from "../../src/server/background.ts";
import { later, start } from "../support/builders.ts";

const hour = 3600;

test("H-24: deletions use a clock that was set back at once, and one that was set ahead only after an hour", () => {
  let wall = 0;
  let steady = 0;
  const settled = settledClock(
    () => later(wall, start),
    () => steady * 1000,
  );
  const reported: number[] = [];
  const steps: readonly [seconds: number, set_by: number, expected: number][] = [
    [1, 0, 1],
    // The wall clock runs slightly faster than the steady one.
    [1, 30, 32],
    // Set ahead and back within the hour: no effect.
    [1, 2 * hour, 33],
    [1800, 0, 1833],
    [1, -2 * hour, 1834],
    [1, 0, 1835],
    // Ahead for an hour: accepted as the current time.
    [1, 24 * hour, 1836],
    [hour - 1, 0, 1836 + hour - 1],
    [1, 0, 1836 + 25 * hour],
    // Set back, and running on from there.
    [1, -5 * hour, 1837 + 20 * hour],
    [1, 0, 1838 + 20 * hour],
  ];
  for (const [seconds, set_by] of steps) {
    steady += seconds;
    wall += seconds + set_by;
    reported.push((settled().getTime() - start.getTime()) / 1000);
  }
  assert.deepEqual(
    reported,
    steps.map(([, , expected]) => expected),
  );
});
