import assert from "node:assert/strict";
import { test } from "node:test";
import { workerStarts } from "../../src/server/workers/supervision.ts";

test("F-4: a worker that ends after it accepted requests does not fail the start, and must be replaced", () => {
  const starts = workerStarts(2);
  assert.equal(starts.listens(1), false);
  assert.equal(starts.failed(1, null), false, "it had listened");
  assert.equal(starts.listens(3), false, "the second has not listened");
  assert.equal(starts.listens(2), true);
  assert.equal(starts.failed(2, null), false);
  assert.equal(starts.listens(4), false, "it was said once");
  assert.equal(starts.failed(5, null), false, "the server has started");
});

test("F-4: a worker that exits before it accepts requests fails the start, and one that was killed does not", () => {
  const starts = workerStarts(2);
  starts.listens(1);
  assert.equal(starts.failed(2, "SIGKILL"), false);
  assert.equal(starts.failed(3, null), true);
});
