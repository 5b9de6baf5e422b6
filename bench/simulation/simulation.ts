/** A discrete-event simulation: nothing but a clock and what happens when. */
import { heapOf } from "./heap.ts";

export interface Simulation {
  /** Milliseconds since the beginning. */
  now(): number;
  /** Lets something happen so many milliseconds from now; of the same moment, first come, first served. */
  after(milliseconds: number, happens: () => void): void;
  /** Lets everything happen in its order, until it is over or nothing is left. */
  run(isOver: () => boolean): void;
}

export function newSimulation(): Simulation {
  const events = heapOf<() => void>();
  let now = 0;
  return {
    now: () => now,
    after: (milliseconds, happens) => events.add(now + milliseconds, happens),
    run(isOver) {
      for (let next = events.take(); next !== undefined; next = events.take()) {
        now = next.at;
        next.value();
        if (isOver()) return;
      }
    },
  };
}
