import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { oneAtATime } from "../../src/storage/database/one_at_a_time.ts";

test("each call starts after the previous one has ended, and receives only its own error", async () => {
  const steps: string[] = [];
  let calls = 0;
  const call = oneAtATime(async () => {
    calls += 1;
    const name = calls;
    steps.push(`${name} begins`);
    await turn();
    steps.push(`${name} ends`);
    if (name === 1) throw new Error("not written");
  });
  const outcomes = await Promise.allSettled([call(), call(), call()]);
  assert.deepEqual(steps, ["1 begins", "1 ends", "2 begins", "2 ends", "3 begins", "3 ends"]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ["rejected", "fulfilled", "fulfilled"],
  );
});
