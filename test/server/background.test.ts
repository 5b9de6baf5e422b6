import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { createLog } from "../../src/ops/log.ts";
import { startBackground } from "../../src/server/background.ts";
import type { Store } from "../../src/storage/store.ts";
import { start } from "../support/builders.ts";
import { until } from "../support/until.ts";

const log = createLog({ level: "silent", destination: { write() {} } });
const none = async () => 0;
/** A store with nothing to do. */
const idle = {
  flush: async () => {},
  settleEvents: () => [],
  sweepSome: none,
  removeExpiredSigningKeys: none,
  sweepOpenClients: none,
  markEndedTokens: none,
} as unknown as Store;

test("a stop waits for no provider during a token revocation, and aborts the work", async () => {
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
