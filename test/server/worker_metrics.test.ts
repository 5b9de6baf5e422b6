import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createMetrics } from "../../src/ops/metrics.ts";
import { workerMetrics } from "../../src/server/worker_metrics.ts";
import { atEnd } from "../support/at_end.ts";
import { temporaryFolder } from "../support/temp.ts";

/** Answers with the snapshot that it was given. */
const answering = `process.on("message", ({ type, id, given }) => {
  if (given) process.given = given;
  else process.send({ type, id, snapshot: process.given });
});`;
/** Lives on without a channel, as one does that is ending. */
const leaving = `setInterval(() => {}, 1000);
process.disconnect();`;

function worker(program: string): ChildProcess {
  const path = join(temporaryFolder(), "worker.mjs");
  writeFileSync(path, program);
  const child = fork(path);
  atEnd(() => void child.kill("SIGKILL"));
  return child;
}

test("a worker that is ending while the metrics are asked for ends nothing, and is left out", async () => {
  const metrics = await createMetrics();
  metrics.count("postern_log_lines_dropped_total", {});
  const [alive, ending] = [worker(answering), worker(leaving)];
  alive.send({ given: await metrics.snapshot() });
  await once(ending, "disconnect");
  const { text } = workerMetrics(() => [ending, alive]);
  assert.match(await text(), /^postern_log_lines_dropped_total 1$/m);
});
