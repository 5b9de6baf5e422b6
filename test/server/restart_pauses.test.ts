import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { restartPauses } from "../../src/server/workers/supervision.ts";

beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
afterEach(() => mock.timers.reset());

test("F-4: pauses before restarting workers that keep ending early grow to ten seconds", () => {
  const pauses = restartPauses();
  const waits = Array.from({ length: 12 }, () => {
    const ended = pauses.prove();
    mock.timers.tick(3000);
    ended();
    return pauses.next();
  });
  assert.equal(waits[0], 0);
  assert.ok(
    waits.slice(6).every((wait) => wait >= 7500),
    String(waits),
  );
});

test("F-4: a worker that accepted requests for ten seconds is replaced immediately", () => {
  const pauses = restartPauses();
  for (let failures = 0; failures < 5; failures++) pauses.next();
  pauses.prove();
  mock.timers.tick(9999);
  assert.ok(pauses.next() > 0);
  mock.timers.tick(1);
  assert.equal(pauses.next(), 0);
});
