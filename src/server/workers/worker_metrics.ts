/** Metrics of all workers: each worker is queried, and the results are added up. */
import { countersOf, type MetricsSnapshot, mergedSnapshot, mergedText } from "../../ops/metrics.ts";

export interface WorkerSnapshot {
  readonly type: "metrics";
  readonly id: number;
  readonly snapshot: MetricsSnapshot;
}

/** The `id` of an unrequested snapshot, the last one of a stopping worker. */
export const lastSnapshot = 0;

interface PolledWorker {
  readonly id: number;
  send(message: object, heard: (error: Error | null) => void): boolean;
  on(event: "message", listener: (message: WorkerSnapshot) => void): unknown;
  off(event: "message", listener: (message: WorkerSnapshot) => void): unknown;
}

const longestAnswer = 1000;

function ask(worker: PolledWorker, id: number): Promise<MetricsSnapshot | undefined> {
  const { promise, resolve } = Promise.withResolvers<MetricsSnapshot | undefined>();
  const listener = (message: WorkerSnapshot) => {
    if (message.type === "metrics" && message.id === id) resolve(message.snapshot);
  };
  const timer = setTimeout(() => resolve(undefined), longestAnswer);
  worker.on("message", listener);
  // An unhandled error of an ending worker would also end the primary.
  worker.send({ type: "metrics", id }, (error) => {
    if (error !== null) resolve(undefined);
  });
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off("message", listener);
  });
}

/**
 * Returns a collector of the metrics of all current and former workers. A worker that does not respond in
 * time counts with its last response. The counters of ended workers are kept, because Prometheus interprets
 * a falling counter as a restart. A stopping worker sends its last counts; a killed one loses the counts
 * after its last response.
 */
export function workerMetrics(workers: () => readonly PolledWorker[]) {
  let requested = 0;
  const last = new Map<number, MetricsSnapshot>();
  const gone = new Set<number>();
  let ended = Promise.resolve<MetricsSnapshot>([]);
  // Ignores a response that arrives after its worker has ended, because it would count twice.
  const note = (worker: number, snapshot: MetricsSnapshot | undefined) => {
    if (snapshot !== undefined && !gone.has(worker)) last.set(worker, snapshot);
  };
  return {
    note: note,
    /** Records the end of a worker. Its counters are kept, its gauges removed. */
    end(worker: number): void {
      const snapshot = last.get(worker) ?? [];
      last.delete(worker);
      gone.add(worker);
      ended = ended.then((before) => mergedSnapshot([before, countersOf(snapshot)]));
    },
    async text(): Promise<string> {
      requested += 1;
      const id = requested;
      await Promise.all(workers().map(async (worker) => note(worker.id, await ask(worker, id))));
      // Reads both synchronously, so a worker that is ending is in exactly one of them.
      const [before, living] = [ended, [...last.values()]];
      return mergedText([await before, ...living]);
    },
  };
}
