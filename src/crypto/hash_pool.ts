/** Schedules slow hashes: one queue per purpose, in which callers take turns. */
import { OverloadedError } from "../errors.ts";

/** Each purpose has its own queue, so that a flood in one does not block the others. */
export const hashingQueues = ["sign_in", "client_authentication", "management", "revocation"] as const;
export type HashingQueue = (typeof hashingQueues)[number];

export interface QueueLoad {
  readonly running: number;
  readonly waiting: number;
}

const secondsPerHash = 0.1;

interface Waiting {
  start(): void;
  refuse(error: OverloadedError): void;
}

interface HashQueue {
  running: number;
  waiting: number;
  served: number;
  readonly callers: Map<string, Waiting[]>;
}

/** Returns a pool that runs at most `slots` jobs at once and lets at most `queue` jobs wait in each queue. */
export function hashPool(slots: number, queue: number) {
  if (!Number.isInteger(slots) || slots < 1)
    throw new RangeError("the number of concurrent hashes is 1 or more");
  const newQueue = (): HashQueue => ({ running: 0, waiting: 0, served: 0, callers: new Map() });
  const queues: Record<HashingQueue, HashQueue> = {
    sign_in: newQueue(),
    client_authentication: newQueue(),
    management: newQueue(),
    revocation: newQueue(),
  };
  let free = slots;
  let turns = 0;

  const overloaded = (hashQueue: HashQueue) =>
    new OverloadedError(Math.max(1, Math.ceil((hashQueue.waiting / slots) * secondsPerHash)));

  /** Returns the longest waiting list of a caller, if it is longer than this caller's would become. */
  function longerList(hashQueue: HashQueue, caller: string): Waiting[] | undefined {
    let longest: Waiting[] = [];
    for (const each of hashQueue.callers.values()) if (each.length > longest.length) longest = each;
    const own = hashQueue.callers.get(caller)?.length ?? 0;
    return longest.length > own + 1 ? longest : undefined;
  }

  function enter(hashQueue: HashQueue): void {
    turns += 1;
    hashQueue.served = turns;
    hashQueue.running += 1;
  }

  async function wait(hashQueue: HashQueue, caller: string): Promise<void> {
    if (hashQueue.waiting >= queue) {
      const longest = longerList(hashQueue, caller);
      if (longest === undefined) throw overloaded(hashQueue);
      longest.pop()?.refuse(overloaded(hashQueue));
      hashQueue.waiting -= 1;
    }
    await new Promise<void>((start, refuse) => {
      const own = hashQueue.callers.get(caller) ?? [];
      own.push({ start, refuse });
      hashQueue.callers.set(caller, own);
      hashQueue.waiting += 1;
    });
  }

  /** Passes the slot to the next waiting job directly. If it were freed first, a new job could take it. */
  function handOn(): void {
    const [next] = Object.values(queues)
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
     * Runs the job when its turn comes. In a full queue, it replaces a job of another caller that has at
     * least two more waiting jobs than its own caller. Throws an OverloadedError if the queue is full and
     * there is no such caller, or if the job itself is replaced.
     */
    async run<T>(name: HashingQueue, caller: string, job: () => Promise<T>): Promise<T> {
      const hashQueue = queues[name];
      if (free > 0) {
        free -= 1;
        enter(hashQueue);
      } else await wait(hashQueue, caller);
      try {
        return await job();
      } finally {
        hashQueue.running -= 1;
        handOn();
      }
    },
    /** Throws the OverloadedError that `run` would throw now. */
    admit(name: HashingQueue, caller: string): void {
      const hashQueue = queues[name];
      const isFull = hashQueue.waiting >= queue && free === 0;
      if (isFull && longerList(hashQueue, caller) === undefined) throw overloaded(hashQueue);
    },
    load: (): Readonly<Record<HashingQueue, QueueLoad>> => {
      const of = ({ running, waiting }: HashQueue): QueueLoad => ({ running, waiting });
      const { sign_in, client_authentication, management, revocation } = queues;
      return {
        sign_in: of(sign_in),
        client_authentication: of(client_authentication),
        management: of(management),
        revocation: of(revocation),
      };
    },
  };
}
