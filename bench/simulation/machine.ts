import { type Heap, heapOf } from "./heap.ts";
import type { Simulation } from "./simulation.ts";

/** Cores that threads share. */
export interface Machine {
  /**
   * Takes so much processor time for one thread. While more threads compute than there are cores, each gets a
   * share by its weight, and none more than a core.
   */
  compute(weight: number, milliseconds: number, then: () => void): void;
}

/** Threads of one weight: `clock` is the processor time that each of them has had since the beginning. */
interface Group {
  readonly weight: number;
  readonly ends: Heap<() => void>;
  threads: number;
  clock: number;
  /** Of a core, for each. */
  rate: number;
}

export function newMachine(simulation: Simulation, cores: number): Machine {
  const groups = new Map<number, Group>();
  let updated = 0;
  let version = 0;

  function groupOf(weight: number): Group {
    const known = groups.get(weight);
    if (known !== undefined) return known;
    const made = { weight, ends: heapOf<() => void>(), threads: 0, clock: 0, rate: 0 };
    groups.set(weight, made);
    return made;
  }

  function advance(): void {
    const passed = simulation.now() - updated;
    updated = simulation.now();
    for (const group of groups.values()) group.clock += passed * group.rate;
  }

  /** The heaviest are served first: what they cannot use, a core each, is left to the others. */
  function share(): void {
    const computing = [...groups.values()]
      .filter(({ threads }) => threads > 0)
      .toSorted((a, b) => b.weight - a.weight);
    let free = cores;
    let weights = computing.reduce((sum, { threads, weight }) => sum + threads * weight, 0);
    for (const group of computing) {
      group.rate = Math.min(1, (free * group.weight) / weights);
      free -= group.rate * group.threads;
      weights -= group.threads * group.weight;
    }
  }

  function proceed(): void {
    share();
    version += 1;
    const mine = version;
    let soonest: { readonly group: Group; readonly wait: number } | undefined;
    for (const group of groups.values()) {
      const end = group.ends.first();
      if (end === undefined) continue;
      const wait = Math.max(0, end.at - group.clock) / group.rate;
      if (soonest === undefined || wait < soonest.wait) soonest = { group, wait };
    }
    if (soonest === undefined) return;
    const { group, wait } = soonest;
    simulation.after(wait, () => {
      // Somebody came or went meanwhile.
      if (mine !== version) return;
      advance();
      const done = group.ends.take();
      group.threads -= 1;
      proceed();
      done?.value();
    });
  }

  return {
    compute(weight, milliseconds, then) {
      advance();
      const group = groupOf(weight);
      group.threads += 1;
      group.ends.add(group.clock + milliseconds, then);
      proceed();
    },
  };
}
