/** Monitors, replaces and stops the worker processes of a server. */
import { jittered } from "./waiting.ts";

/** Tracks whether all workers have started to listen. */
export function workerStarts(workers: number) {
  const listening = new Set<number>();
  let complete = false;
  return {
    /** Returns true once, when the last worker listens. */
    listens(id: number): boolean {
      listening.add(id);
      if (complete || listening.size < workers) return false;
      complete = true;
      return true;
    },
    /**
     * Returns true if the start of the server has failed, because this worker ended before it listened. A
     * killed worker is replaced, and its replacement may listen.
     */
    failed(id: number, signal: string | null): boolean {
      const listened = listening.delete(id);
      return !complete && !listened && signal === null;
    },
  };
}

/** In milliseconds. */
export const beatInterval = 5000;
/** Half a minute is longer than any SQL statement may take. */
const mostMissed = 6;

/**
 * Detects hung workers by missing heartbeats. A hung worker keeps its connections, so its callers wait, and
 * it may lock the database.
 */
export function workerPulses() {
  const missed = new Map<number, number>();
  return {
    /** A worker is monitored from its first heartbeat, because a slow start delays no callers. */
    beat(worker: number): void {
      missed.set(worker, 0);
    },
    end(worker: number): void {
      missed.delete(worker);
    },
    /**
     * Returns the workers that missed too many heartbeats. It counts checks, not time, because a suspended
     * primary process must not kill healthy workers.
     */
    count(): number[] {
      for (const [worker, times] of missed) missed.set(worker, times + 1);
      return [...missed].filter(([, times]) => times > mostMissed).map(([worker]) => worker);
    },
  };
}

/** Milliseconds before the second restart; the first one is immediate. */
const firstPause = 500;
const longestPause = 10_000;
const proving = 10_000;

/** Returns the pauses between restarts, in milliseconds. */
export function restartPauses() {
  let failures = 0;
  return {
    next(): number {
      failures += 1;
      return failures === 1 ? 0 : jittered(Math.min(firstPause * 2 ** (failures - 2), longestPause));
    },
    prove(): () => void {
      const timer = setTimeout(() => {
        failures = 0;
      }, proving).unref();
      return () => clearTimeout(timer);
    },
  };
}

interface StoppingWorker {
  readonly id: number;
  readonly process: { kill(signal: "SIGKILL"): unknown };
  on(event: "message", listener: () => void): unknown;
  once(event: "exit", listener: () => void): unknown;
  kill(signal: "SIGTERM"): unknown;
}

/**
 * Asks each worker to stop, and resolves when all have ended. A worker that sends no message within `maxWait`
 * milliseconds is killed.
 */
export async function stopWorkers(
  workers: readonly StoppingWorker[],
  { maxWait, onStill }: { readonly maxWait: number; readonly onStill: (id: number) => void },
): Promise<void> {
  const ended = workers.map((worker) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const still = setTimeout(() => {
      onStill(worker.id);
      worker.process.kill("SIGKILL");
    }, maxWait);
    worker.on("message", () => clearTimeout(still));
    worker.once("exit", () => {
      clearTimeout(still);
      resolve();
    });
    worker.kill("SIGTERM");
    return promise;
  });
  await Promise.all(ended);
}
