/**
 * Detects hung workers of a server. A worker that is suspended, or whose thread is blocked, keeps its
 * connections and makes their callers wait. It may also lock the database.
 */

/** Milliseconds between two heartbeats of a worker, and between two checks of its primary. */
export const beatInterval = 5000;
/** Missed heartbeats after which a worker is killed: half a minute, longer than any statement may take. */
const mostMissed = 6;

export function workerPulses() {
  const missed = new Map<number, number>();
  return {
    /**
     * Records a heartbeat. A worker is monitored from its first one, because a slow start delays no caller.
     */
    beat(worker: number): void {
      missed.set(worker, 0);
    },
    /** Removes a worker that has ended. */
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
