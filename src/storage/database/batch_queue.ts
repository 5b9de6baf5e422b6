/**
 * Commits jobs (transactions) in batches, because each commit waits for the disk. A commit that does not
 * directly follow another waits for jobs that were announced with `expectJob`, up to a maximum time.
 */
export interface BatchQueue<Job> {
  add(job: Job): void;
  expectJob(): () => void;
  drained(): Promise<void>;
}

/** The limit keeps the wait of a job short. */
const jobsPerCommit = 128;

/**
 * Returns a queue. `commit` must complete every job of a batch and never reject. `maxWait` is in
 * milliseconds, for jobs that were announced.
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
      // Checks again, because a job may have arrived after the queue was found empty.
      consider();
    });
    underWay.add(draining);
  }

  /** Jobs that arrived during a commit do not wait for announced jobs. */
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
