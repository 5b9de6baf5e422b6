import assert from "node:assert/strict";
import { test } from "node:test";
import { workerPulses } from "../../src/server/workers/supervision.ts";

test("F-4: a worker without a heartbeat for half a minute is reported, unless it has ended", () => {
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

test("F-4: a worker is not watched before its first heartbeat, because a start may take long", () => {
  const pulses = workerPulses();
  assert.deepEqual(Array.from({ length: 20 }, () => pulses.count()).flat(), []);
});
