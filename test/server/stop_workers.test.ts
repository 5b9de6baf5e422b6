import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { stopWorkers } from "../../src/server/workers/supervision.ts";

/** A worker that records its signals, and exits on one of the given ones. */
function aWorker(id: number, endsAt: readonly string[]) {
  const signals: string[] = [];
  const worker = new EventEmitter();
  const kill = (signal: string) => {
    signals.push(signal);
    if (endsAt.includes(signal)) worker.emit("exit");
    return true;
  };
  return {
    signals,
    worker: Object.assign(worker, { id, kill, process: { kill } }),
  };
}

test("F-20: when workers are stopped, one that hangs is killed after ten seconds", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const quick = aWorker(1, ["SIGTERM"]);
  const busy = aWorker(2, []);
  const still = aWorker(3, ["SIGKILL"]);
  const reported: number[] = [];
  let stopped = false;
  const stopping = stopWorkers([quick.worker, busy.worker, still.worker], {
    maxWait: 10_000,
    onStill: (id) => reported.push(id),
  }).then(() => {
    stopped = true;
  });
  busy.worker.emit("message", { type: "beat" });
  t.mock.timers.tick(9999);
  assert.deepEqual(reported, []);
  t.mock.timers.tick(1);
  assert.deepEqual(reported, [3]);
  assert.deepEqual(
    [quick, busy, still].map(({ signals }) => signals),
    [["SIGTERM"], ["SIGTERM"], ["SIGTERM", "SIGKILL"]],
  );
  t.mock.timers.reset();
  assert.equal(stopped, false);
  busy.worker.emit("exit");
  await stopping;
});
