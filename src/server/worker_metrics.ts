/** Workers share the port but not their counters: each is asked, and the answers are added up. */
import { type MetricsSnapshot, mergedText } from "../ops/metrics.ts";

/** What a worker answers. */
export interface WorkerSnapshot {
  readonly type: "metrics";
  readonly id: number;
  readonly snapshot: MetricsSnapshot;
}

interface AskedWorker {
  send(message: object, heard: (error: Error | null) => void): boolean;
  on(event: "message", listener: (message: WorkerSnapshot) => void): unknown;
  off(event: "message", listener: (message: WorkerSnapshot) => void): unknown;
}

/** Milliseconds that a worker has for its answer. */
const longestAnswer = 1000;

function ask(worker: AskedWorker, id: number): Promise<MetricsSnapshot> {
  const { promise, resolve } = Promise.withResolvers<MetricsSnapshot>();
  const listener = (message: WorkerSnapshot) => {
    if (message.type === "metrics" && message.id === id) resolve(message.snapshot);
  };
  const timer = setTimeout(() => resolve([]), longestAnswer);
  worker.on("message", listener);
  // Of a worker that is ending, a failure that nobody hears here would end the primary, too.
  worker.send({ type: "metrics", id }, (error) => {
    if (error !== null) resolve([]);
  });
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off("message", listener);
  });
}

/** The metrics of the workers there are at each question; one that does not answer is left out. */
export function workerMetrics(workers: () => readonly AskedWorker[]) {
  let asked = 0;
  return {
    async text(): Promise<string> {
      asked += 1;
      const id = asked;
      return mergedText(await Promise.all(workers().map((worker) => ask(worker, id))));
    },
  };
}
