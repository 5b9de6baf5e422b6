import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { UnavailableError } from "../../src/errors.ts";
import { createLog } from "../../src/ops/log.ts";
import { startBackground } from "../../src/server/background.ts";
import type { Store } from "../../src/storage/store.ts";
import { start } from "../support/builders.ts";
import { until } from "../support/until.ts";

const log = createLog({ level: "silent", destination: { write() {} } });
const none = async () => 0;
/** A store without any pending work. */
const idle = {
  flush: async () => {},
  settleEvents: () => [],
  sweepSome: none,
  removeExpiredSigningKeys: none,
  sweepOpenClients: none,
  markEndedTokens: none,
} as unknown as Store;

test("a stop aborts a pending token revocation at a provider instead of waiting for it", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  let reported: AbortSignal | undefined;
  const { stop } = startBackground(
    idle,
    log,
    () => start,
    {},
    {
      revokeStoredTokens: (signal) => {
        reported = signal;
        return new Promise(() => {});
      },
    },
  );
  mock.timers.tick(60_000);
  mock.timers.reset();
  assert.equal(reported?.aborted, false);
  let stopped = false;
  void stop().then(() => {
    stopped = true;
  });
  await until(() => stopped, "the work has stopped");
  assert.equal(reported?.aborted, true);
});

test("repeated failures log one line a minute with their number, no stack for known outages, and the recovery", async (t) => {
  const lines: Record<string, unknown>[] = [];
  const watched = createLog({
    level: "info",
    destination: { write: (line) => lines.push(JSON.parse(line)) },
  });
  let clock = 0;
  t.mock.method(performance, "now", () => clock);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let turns = 0;
  const away = new UnavailableError("away", "the database cannot be reached: no", { code: "08006" });
  let error: Error | undefined = away;
  const numberEvents = async () => {
    turns += 1;
    if (error !== undefined) throw error;
  };
  const { stop } = startBackground(idle, watched, () => start, {}, { numberEvents });
  /** Runs the work `times` more times, `between` milliseconds apart. */
  const run = async (times: number, between = 100) => {
    for (const until = turns + times; turns < until; ) {
      clock += between;
      t.mock.timers.tick(100);
      await new Promise(setImmediate);
    }
  };
  await run(50);
  assert.equal(lines.length, 1);
  const { level, msg, fault, reason, failures, err } = lines[0] ?? {};
  assert.deepEqual(
    [level, msg, fault, reason, failures, err],
    ["error", "numbering events failed and will be retried", "away", away.message, 1, undefined],
  );
  clock += 60_000;
  await run(1);
  assert.equal(lines[1]?.failures, 50);
  error = undefined;
  await run(3);
  assert.deepEqual(
    lines.slice(2).map(({ level, msg }) => [level, msg]),
    [["info", "numbering events works again"]],
  );
  // Work that fails every other time logs no further lines.
  for (let turn = 0; turn < 20; turn++) {
    error = turn % 2 === 0 ? away : undefined;
    await run(1);
  }
  assert.equal(lines.length, 3);
  clock += 60_000;
  error = new Error("a defect");
  await run(1);
  assert.match(JSON.stringify(lines[3]?.err), /a defect.*background\.test/);
  t.mock.timers.reset();
  await stop();
});
