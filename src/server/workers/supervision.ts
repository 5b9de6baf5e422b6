/** Watches, replaces and stops the workers of a server. */
import { jittered } from "./waiting.ts";

/** Tracks which workers of a server are listening, until all of them are. */
export function workerStarts(workers: number) {
  const listening = new Set<number>();
  let complete = false;
  return {
    /** Records that a worker is listening. Returns true once, for the last of all workers. */
    listens(id: number): boolean {
      listening.add(id);
      if (complete || listening.size < workers) return false;
      complete = true;
      return true;
    },
    /**
     * Records the end of a worker. Returns true if the start has failed: not all workers have listened yet,
     * and this worker exited before it listened, so its successors would not listen either. For a killed
     * worker it returns false, because its successors may listen.
     */
    failed(id: number, signal: string | null): boolean {
      const listened = listening.delete(id);
      return !complete && !listened && signal === null;
    },
  };
}

/**
 * Milliseconds between two heartbeats of a worker, and between two checks by the primary whether heartbeats
 * arrived.
 */
export const beatInterval = 5000;
/** Missed heartbeats after which a worker is killed: half a minute, longer than any statement may take. */
const mostMissed = 6;

/**
 * Detects hung workers. A worker that is suspended, or whose thread is blocked, keeps its connections and
 * makes their callers wait. It may also lock the database.
 */
export function workerPulses() {
  const missed = new Map<number, number>();
  return {
    /**
     * Records a heartbeat. A worker is monitored from its first one, because a slow start delays no callers.
     */
    beat(worker: number): void {
      missed.set(worker, 0);
    },
    end(worker: number): void {
      missed.delete(worker);
    },
    /**
     * Returns the workers that have been silent for too long. Counting checks rather than time avoids false
     * alarms after the primary itself was suspended.
     */
    count(): number[] {
      for (const [worker, times] of missed) missed.set(worker, times + 1);
      return [...missed].filter(([, times]) => times > mostMissed).map(([worker]) => worker);
    },
  };
}

/** In milliseconds. The first replacement of a worker is immediate. */
const firstPause = 500;
const longestPause = 10_000;
const proving = 10_000;

/** Returns the pauses of one server, which grow until a worker is healthy. */
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
 * Asks each worker to stop, and resolves when all have ended. A worker that neither ends nor sends a message
 * within `maxWait` milliseconds is hung; it is reported to `onStill` and killed.
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
