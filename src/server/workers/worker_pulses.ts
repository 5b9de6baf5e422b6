/**
 * Which workers of a server stand still. One that was stopped, or whose thread never comes back, keeps its
 * connections and lets their callers wait, and may hold the database against the others.
 */

/** Milliseconds between two beats of a worker, and between two counts of its primary. */
export const beatInterval = 5000;
/** Counts without a beat after which a worker is ended: half a minute, longer than any statement may take. */
const mostMissed = 6;

export function workerPulses() {
  const missed = new Map<number, number>();
  return {
    /** Notes a beat. A worker is watched from the first one on: a slow start holds up no caller. */
    beat(worker: number): void {
      missed.set(worker, 0);
    },
    /** Forgets a worker that has ended. */
    end(worker: number): void {
      missed.delete(worker);
    },
    /**
     * The workers that have been silent for too long. Beats are counted in place of time: a primary that stood
     * still itself has counted nothing meanwhile, and blames no worker.
     */
    count(): number[] {
      for (const [worker, times] of missed) missed.set(worker, times + 1);
      return [...missed].filter(([, times]) => times > mostMissed).map(([worker]) => worker);
    },
  };
}
