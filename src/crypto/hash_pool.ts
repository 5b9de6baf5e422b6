/** The order in which slow hashes run: a lane for each purpose, and within a lane turns for each caller. */
import { OverloadedError } from "../errors.ts";

/** The purposes of hashes. No purpose can hold up another one. */
export const hashingLanes = ["sign_in", "client_authentication", "management", "revocation"] as const;
export type HashingLane = (typeof hashingLanes)[number];

export interface LaneLoad {
  readonly running: number;
  readonly waiting: number;
}

/** Seconds of one hash of the default cost, rounded up, to tell a caller when to come back. */
const secondsPerHash = 0.1;

interface Waiting {
  start(): void;
  refuse(error: OverloadedError): void;
}

interface Lane {
  running: number;
  waiting: number;
  /** When it was last given a slot, as a count of turns. */
  served: number;
  /** The waiting callers, the next one first, each with its jobs, the oldest first. */
  readonly callers: Map<string, Waiting[]>;
}

/**
 * Runs at most `slots` jobs at once and lets `queue` more wait in each lane. A free slot goes to the lane
 * with the fewest running jobs. Every lane thus gets one as soon as a job ends, and an idle lane lends its
 * own. Within a lane the callers take turns. In a full lane a newcomer replaces a job of the caller with the
 * most waiting. Throws a RangeError for `slots` that are not a positive integer.
 */
export function hashPool(slots: number, queue: number) {
  if (!Number.isInteger(slots) || slots < 1)
    throw new RangeError("the number of concurrent hashes is 1 or more");
  const newLane = (): Lane => ({ running: 0, waiting: 0, served: 0, callers: new Map() });
  const lanes: Record<HashingLane, Lane> = {
    sign_in: newLane(),
    client_authentication: newLane(),
    management: newLane(),
    revocation: newLane(),
  };
  let free = slots;
  let turns = 0;

  const overloaded = (lane: Lane) =>
    new OverloadedError(Math.max(1, Math.ceil((lane.waiting / slots) * secondsPerHash)));

  /**
   * The jobs of the caller with the most waiting, when they are more than those of this caller. Throws when
   * there is no such caller.
   */
  function longestBeside(lane: Lane, caller: string): Waiting[] {
    let longest: Waiting[] = [];
    for (const each of lane.callers.values()) if (each.length > longest.length) longest = each;
    const own = lane.callers.get(caller)?.length ?? 0;
    if (longest.length <= own + 1) throw overloaded(lane);
    return longest;
  }

  function enter(lane: Lane): void {
    turns += 1;
    lane.served = turns;
    lane.running += 1;
  }

  async function wait(lane: Lane, caller: string): Promise<void> {
    if (lane.waiting >= queue) {
      const longest = longestBeside(lane, caller);
      longest.pop()?.refuse(overloaded(lane));
      lane.waiting -= 1;
    }
    await new Promise<void>((start, refuse) => {
      const own = lane.callers.get(caller) ?? [];
      own.push({ start, refuse });
      lane.callers.set(caller, own);
      lane.waiting += 1;
    });
  }

  /** Hands the slot on; freeing it first would let a newcomer in between. */
  function handOn(): void {
    const [next] = Object.values(lanes)
      .filter(({ waiting }) => waiting > 0)
      .sort((a, b) => a.running - b.running || a.served - b.served);
    if (next === undefined) {
      free += 1;
      return;
    }
    const [[caller, jobs] = ["", []]] = next.callers;
    next.callers.delete(caller);
    const job = jobs.shift();
    if (jobs.length > 0) next.callers.set(caller, jobs);
    next.waiting -= 1;
    enter(next);
    job?.start();
  }

  return {
    /**
     * Runs the job once it is its turn. Throws an OverloadedError when too many are waiting in the lane and
     * none of another caller has more of them.
     */
    async run<T>(name: HashingLane, caller: string, job: () => Promise<T>): Promise<T> {
      const lane = lanes[name];
      if (free > 0) {
        free -= 1;
        enter(lane);
      } else await wait(lane, caller);
      try {
        return await job();
      } finally {
        lane.running -= 1;
        handOn();
      }
    },
    /** Throws the same OverloadedError already now, for work that comes before the job. */
    admit(name: HashingLane, caller: string): void {
      if (lanes[name].waiting >= queue && free === 0) longestBeside(lanes[name], caller);
    },
    load: (): Readonly<Record<HashingLane, LaneLoad>> => {
      const of = ({ running, waiting }: Lane): LaneLoad => ({ running, waiting });
      const { sign_in, client_authentication, management, revocation } = lanes;
      return {
        sign_in: of(sign_in),
        client_authentication: of(client_authentication),
        management: of(management),
        revocation: of(revocation),
      };
    },
  };
}
