import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, test } from "node:test";
import { untilAborted } from "../../src/server/background.ts";

describe("work that an abort signal ends early", () => {
  test("leaves no listener on the abort signal, however often it runs and however it ends", async () => {
    const { signal } = new AbortController();
    for (let turn = 0; turn < 50; turn++) {
      assert.equal(await untilAborted(Promise.resolve(turn), signal), turn);
      await assert.rejects(untilAborted(Promise.reject(new Error("failed")), signal), /failed/);
    }
    assert.equal(getEventListeners(signal, "abort").length, 0);
  });

  test("rejects with the signal's reason, whether aborted before or during the work", async () => {
    const never = new Promise<never>(() => {});
    const stop = new AbortController();
    const cut = untilAborted(never, stop.signal);
    const reason = new Error("the server stops");
    stop.abort(reason);
    await assert.rejects(cut, reason);
    await assert.rejects(untilAborted(never, stop.signal), reason);
  });
});
