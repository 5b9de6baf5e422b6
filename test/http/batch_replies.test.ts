import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { batchReplies } from "../../src/http/serving/fast_path.ts";

describe("responses sent in batches", () => {
  test("responses that are ready in the same turn of the event loop are sent at its end, in order", async () => {
    const batch = batchReplies();
    const events: string[] = [];
    for (const name of ["a", "b", "c"]) {
      events.push(`ready ${name}`);
      batch(() => events.push(`left ${name}`));
    }
    await nextTurn();
    assert.deepEqual(events, ["ready a", "ready b", "ready c", "left a", "left b", "left c"]);
  });
});
