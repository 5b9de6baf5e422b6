/**
 * Transactions that arrive together share one commit, because waiting for the disk is what a commit costs.
 * The wait for company follows from the announced jobs: the commit begins as soon as as many wait as are
 * still on their way. Measured: 8 tokens to a commit at 16 connections, and no wait at all for a lone one.
 */
export interface BatchQueue<Job> {
  /** Puts the job into the next commit. */
  add(job: Job): void;
  /**
   * Says that a job will come soon; the returned function takes that back, and is called when it comes or
   * does not.
   */
  expectJob(): () => void;
  /** Resolves when nothing waits and nothing is being committed. */
  drained(): Promise<void>;
}

/** How many jobs share one commit, at most: bounds what a waiting caller waits for. */
const jobsPerCommit = 128;

/**
 * `commit` answers every job of a batch and never rejects; `lanes` is how many batches are under way at once,
 * and `maxWait` how long a job waits for those that were announced, at most, in milliseconds.
 */
export function batchQueue<Job>({
  commit,
  queues: concurrency = 1,
  maxWait = 2,
}: {
  commit: (batch: readonly Job[]) => Promise<void>;
  queues?: number;
  maxWait?: number | undefined;
}): BatchQueue<Job> {
  let waiting: Job[] = [];
  let announced = 0;
  let scheduled = false;
  let timer: NodeJS.Timeout | undefined;
  const underWay = new Set<Promise<void>>();

  /**
   * Begins the commit at the end of this turn of the event loop, or after a short wait for those who are
   * coming.
   */
  function consider(): void {
    if (scheduled || underWay.size >= concurrency || waiting.length === 0) return;
    if (waiting.length >= announced) {
      scheduled = true;
      setImmediate(start);
    } else timer ??= setTimeout(start, maxWait);
  }

  function start(): void {
    scheduled = false;
    clearTimeout(timer);
    timer = undefined;
    if (underWay.size >= concurrency) return;
    const draining = drain().finally(() => {
      underWay.delete(draining);
      // A job may have arrived after the queue looked empty.
      consider();
    });
    underWay.add(draining);
  }

  /** A job that came while the last commit was made has waited long enough. */
  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, jobsPerCommit);
      waiting = waiting.slice(jobsPerCommit);
      await commit(batch);
    }
  }

  return {
    add(job) {
      waiting.push(job);
      consider();
    },
    expectJob() {
      announced += 1;
      let coming = true;
      return () => {
        if (!coming) return;
        coming = false;
        announced -= 1;
        consider();
      };
    },
    async drained() {
      while (waiting.length > 0 || underWay.size > 0) {
        start();
        await Promise.all(underWay);
      }
    },
  };
}
