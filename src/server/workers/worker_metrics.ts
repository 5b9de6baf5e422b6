/** Collects metrics from all worker processes and adds them up. */
import { countersOf, type MetricsSnapshot, mergedSnapshot, mergedText } from "../../ops/metrics.ts";

export interface WorkerSnapshot {
  readonly type: "metrics";
  readonly id: number;
  readonly snapshot: MetricsSnapshot;
}

/** The `id` of the message that a stopping worker sends without a request, with its last counts. */
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
  // Without this callback, an error of an ending worker would end the primary process.
  worker.send({ type: "metrics", id }, (error) => {
    if (error !== null) resolve(undefined);
  });
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off("message", listener);
  });
}

/**
 * Returns a collector of the workers' metrics. It keeps the counters of ended workers, because Prometheus
 * interprets a falling counter as a restart.
 */
export function workerMetrics(workers: () => readonly PolledWorker[]) {
  let requested = 0;
  const last = new Map<number, MetricsSnapshot>();
  const gone = new Set<number>();
  let ended = Promise.resolve<MetricsSnapshot>([]);
  // Ignores snapshots that arrive after the worker has ended, because its counts would be added twice.
  const note = (worker: number, snapshot: MetricsSnapshot | undefined) => {
    if (snapshot !== undefined && !gone.has(worker)) last.set(worker, snapshot);
  };
  return {
    note: note,
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
      // Reads both at the same moment: the counts of an ending worker are in exactly one of them.
      const [before, living] = [ended, [...last.values()]];
      return mergedText([await before, ...living]);
    },
  };
}
