import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { mock, test } from "node:test";
import { createMetrics, type MetricsSnapshot } from "../../src/ops/metrics.ts";
import { type WorkerSnapshot, workerMetrics } from "../../src/server/workers/worker_metrics.ts";
import { atEnd } from "../support/at_end.ts";
import { temporaryFolder } from "../support/temp.ts";

/** A worker that answers with the snapshot it was given. */
const answering = `process.on("message", ({ type, id, given }) => {
  if (given) process.given = given;
  else process.send({ type, id, snapshot: process.given });
});`;
/** A worker that keeps running without a channel, as one that is ending does. */
const leaving = `setInterval(() => {}, 1000);
process.disconnect();`;

function worker(program: string): ChildProcess {
  const path = join(temporaryFolder(), "worker.mjs");
  writeFileSync(path, program);
  const child = fork(path);
  atEnd(() => void child.kill("SIGKILL"));
  return child;
}

test("a worker that ends during a metrics request is omitted, and the request succeeds", async () => {
  const metrics = await createMetrics();
  metrics.count("postern_log_lines_dropped_total", {});
  const [alive, ending] = [worker(answering), worker(leaving)];
  alive.send({ given: await metrics.snapshot() });
  await once(ending, "disconnect");
  const { text } = workerMetrics(() => [Object.assign(ending, { id: 1 }), Object.assign(alive, { id: 2 })]);
  assert.match(await text(), /^postern_log_lines_dropped_total 1$/m);
});

/** A worker in this process, which does not answer while it is `busy`. */
class FakeWorker extends EventEmitter<{ message: [WorkerSnapshot] }> {
  readonly id: number;
  busy = false;
  snapshot: MetricsSnapshot = [];

  constructor(id: number) {
    super();
    this.id = id;
  }

  send(message: { readonly id?: number }): boolean {
    const { id = 0 } = message;
    if (!this.busy) this.emit("message", { type: "metrics", id, snapshot: this.snapshot });
    return true;
  }
}

/** Returns the snapshot of a process that issued `tokens` tokens and has one mail waiting. */
async function issued(tokens: number): Promise<MetricsSnapshot> {
  const metrics = await createMetrics();
  metrics.watch("postern_mails_waiting", () => [{ labels: {}, value: 1 }]);
  for (let each = 0; each < tokens; each += 1) {
    metrics.count("postern_tokens_issued_total", { grant_type: "client_credentials" });
    metrics.observe("postern_hash_wait_seconds", { lane: "sign_in" }, 0.001);
  }
  return metrics.snapshot();
}

test("counters never decrease: a busy or ended worker counts with its last report", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  atEnd(() => mock.timers.reset());
  const [first, second] = [new FakeWorker(1), new FakeWorker(2)];
  let workers = [first, second];
  const metrics = workerMetrics(() => workers);
  const reported = async () => {
    const asking = metrics.text();
    mock.timers.tick(1000);
    const text = await asking;
    return ["tokens_issued_total", "hash_wait_seconds_count", "mails_waiting"].map((name) =>
      Number(new RegExp(`^postern_${name}(?:\\{.*\\})? (.*)$`, "m").exec(text)?.[1]),
    );
  };
  first.snapshot = await issued(40);
  second.snapshot = await issued(20);
  assert.deepEqual(await reported(), [60, 60, 2]);
  first.busy = true;
  second.snapshot = await issued(25);
  assert.deepEqual(await reported(), [65, 65, 2]);
  const third = new FakeWorker(3);
  third.snapshot = await issued(1);
  workers = [second, third];
  metrics.end(first.id);
  assert.deepEqual(await reported(), [66, 66, 2]);
  workers = [];
  metrics.end(second.id);
  metrics.end(third.id);
  assert.deepEqual(await reported(), [66, 66, Number.NaN]);
  // An answer that comes after the end of its worker counts once.
  workers = [second];
  assert.deepEqual(await reported(), [66, 66, Number.NaN]);
});

test("a worker that stops reports what it counted since the last request", async () => {
  const stopping = new FakeWorker(1);
  let workers = [stopping];
  const metrics = workerMetrics(() => workers);
  stopping.snapshot = await issued(3);
  await metrics.text();
  metrics.note(stopping.id, await issued(5));
  workers = [];
  metrics.end(stopping.id);
  metrics.note(stopping.id, await issued(9));
  assert.match(await metrics.text(), /^postern_tokens_issued_total\{.*\} 5$/m);
});
