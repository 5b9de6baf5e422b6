import assert from "node:assert/strict";
import { test } from "node:test";
import { workerPulses } from "../../src/server/workers/supervision.ts";

test("F-4: a hung worker is reported after half a minute, and one that beats or has ended is not", () => {
  const pulses = workerPulses();
  for (const worker of [1, 2, 3]) pulses.beat(worker);
  pulses.end(3);
  for (let counts = 0; counts < 6; counts += 1) {
    assert.deepEqual(pulses.count(), []);
    pulses.beat(1);
  }
  assert.deepEqual(pulses.count(), [2]);
  pulses.beat(2);
  assert.deepEqual(pulses.count(), []);
});

test("F-4: a worker without a first beat is not watched, because a start may take long", () => {
  const pulses = workerPulses();
  assert.deepEqual(Array.from({ length: 20 }, () => pulses.count()).flat(), []);
});
