/** Commits that are shared, by the rule of src/storage/database/batch_queue.ts. */
import type { Simulation } from "./simulation.ts";

export interface Batches {
  /** Says that a job will come. */
  announce(): void;
  /** What was announced is here; `then` follows its commit. */
  add(then: () => void): void;
}

/** How long a job waits for those that were announced, milliseconds. */
const longestWait = 2;

/** `commit` makes one of so many jobs, and says when it is done. */
export function newBatches(
  simulation: Simulation,
  lanes: number,
  commit: (jobs: number, then: () => void) => void,
): Batches {
  let waiting: (() => void)[] = [];
  let announced = 0;
  let underWay = 0;
  let timers = 0;

  function start(): void {
    if (underWay >= lanes || waiting.length === 0) return;
    timers += 1;
    underWay += 1;
    const batch = waiting;
    waiting = [];
    commit(batch.length, () => {
      underWay -= 1;
      // Those that came meanwhile have waited long enough.
      start();
      for (const then of batch) then();
    });
  }

  function consider(): void {
    if (underWay >= lanes || waiting.length === 0) return;
    const mine = timers;
    if (waiting.length >= announced) start();
    else
      simulation.after(longestWait, () => {
        if (mine === timers) start();
      });
  }

  return {
    announce() {
      announced += 1;
    },
    add(then) {
      announced -= 1;
      waiting.push(then);
      consider();
    },
  };
}
