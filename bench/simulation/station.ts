import type { Machine } from "./machine.ts";
import type { Simulation } from "./simulation.ts";

/** What a thread does of a job: it computes, or it waits and takes no processor. Milliseconds. */
export type Phase =
  | { readonly compute: number }
  | { readonly wait: number }
  | { readonly take: Lock }
  | { readonly release: Lock };

/** One holder at a time; the others wait in a row. */
export interface Lock {
  take(then: () => void): void;
  release(): void;
}

export function newLock(): Lock {
  const waiting: (() => void)[] = [];
  let held = false;
  return {
    take(then) {
      if (held) {
        waiting.push(then);
        return;
      }
      held = true;
      then();
    },
    release() {
      const next = waiting.shift();
      if (next === undefined) held = false;
      else next();
    },
  };
}

/** Threads with one queue before them. */
export interface Station {
  /** `phases` are asked for when a thread begins with the job. */
  run(phases: () => readonly Phase[], then: () => void): void;
}

export function newStation(
  simulation: Simulation,
  machine: Machine,
  { threads, weight }: { readonly threads: number; readonly weight: number },
): Station {
  const waiting: (() => void)[] = [];
  let free = threads;

  function perform([phase, ...rest]: readonly Phase[], then: () => void): void {
    const next = () => perform(rest, then);
    if (phase === undefined) then();
    else if ("compute" in phase) machine.compute(weight, phase.compute, next);
    else if ("wait" in phase) simulation.after(phase.wait, next);
    else if ("take" in phase) phase.take.take(next);
    else {
      phase.release.release();
      next();
    }
  }

  return {
    run(phases, then) {
      const begin = () =>
        perform(phases(), () => {
          const next = waiting.shift();
          if (next === undefined) free += 1;
          else next();
          then();
        });
      if (free === 0) {
        waiting.push(begin);
        return;
      }
      free -= 1;
      begin();
    },
  };
}
