/** Workers share the port but not their counters: each is asked, and the answers are added up. */
import { countersOf, type MetricsSnapshot, mergedSnapshot, mergedText } from "../../ops/metrics.ts";

/** What a worker answers. */
export interface WorkerSnapshot {
  readonly type: "metrics";
  readonly id: number;
  readonly snapshot: MetricsSnapshot;
}

/** The `id` of a snapshot that was not asked for: the last one, of a worker that is stopping. */
export const lastSnapshot = 0;

interface PolledWorker {
  readonly id: number;
  send(message: object, heard: (error: Error | null) => void): boolean;
  on(event: "message", listener: (message: WorkerSnapshot) => void): unknown;
  off(event: "message", listener: (message: WorkerSnapshot) => void): unknown;
}

/** Milliseconds that a worker has for its answer. */
const longestAnswer = 1000;

/** The worker's answer; undefined where it does not answer in time. */
function ask(worker: PolledWorker, id: number): Promise<MetricsSnapshot | undefined> {
  const { promise, resolve } = Promise.withResolvers<MetricsSnapshot | undefined>();
  const listener = (message: WorkerSnapshot) => {
    if (message.type === "metrics" && message.id === id) resolve(message.snapshot);
  };
  const timer = setTimeout(() => resolve(undefined), longestAnswer);
  worker.on("message", listener);
  // Of a worker that is ending, a failure that nobody hears here would end the primary, too.
  worker.send({ type: "metrics", id }, (error) => {
    if (error !== null) resolve(undefined);
  });
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off("message", listener);
  });
}

/**
 * The metrics of all workers there have been. A worker that does not answer in time counts with its last
 * answer, and the counters of one that has ended stay: Prometheus takes a counter that falls for a restart, and
 * adds the whole of it again. A worker that stops tells its last counts; one that is killed loses what it
 * counted after its last answer.
 */
export function workerMetrics(workers: () => readonly PolledWorker[]) {
  let requested = 0;
  const last = new Map<number, MetricsSnapshot>();
  const gone = new Set<number>();
  let ended = Promise.resolve<MetricsSnapshot>([]);
  // An answer may arrive after the end of its worker, and would count twice.
  const note = (worker: number, snapshot: MetricsSnapshot | undefined) => {
    if (snapshot !== undefined && !gone.has(worker)) last.set(worker, snapshot);
  };
  return {
    /** Notes what a worker tells without being asked. */
    note: note,
    /** Notes that a worker has ended: its counters stay, and its gauges end. */
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
      // Both of one moment: a worker that ends meanwhile is in one of them.
      const [before, living] = [ended, [...last.values()]];
      return mergedText([await before, ...living]);
    },
  };
}
