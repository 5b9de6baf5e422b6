/**
 * Transactions that arrive together share one commit, because waiting for the disk is what a commit costs. How long to
 * wait for company follows from who has said that they are coming: as soon as as many wait as are still on their way,
 * the commit begins (measured: 8 tokens to a commit at 16 connections, and no wait at all for a lone one).
 */
import type { Connection } from "./driver.ts";

export interface Job {
  readonly work: (connection: Connection) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** What a commit is made of; each acts on the one connection that writes. */
export interface CommitSteps {
  readonly connection: Connection;
  begin(): void;
  commit(): void;
  /** Undoes everything since `begin`; does nothing when the database has done so already. */
  rollback(): void;
  /** Marks a place to which `undo` goes back. */
  mark(): void;
  keep(): void;
  undo(): void;
}

export interface GroupCommit {
  /** Runs the job in the next commit. Its promise is settled once the commit is on disk. */
  add(job: Job): void;
  /** Says that a job will come soon; the returned function takes that back, and is called when it comes or does not. */
  announce(): () => void;
  /** Resolves when nothing waits. */
  drained(): Promise<void>;
}

/** How many transactions share one commit, at most: bounds what a waiting caller waits for. */
const transactionsPerCommit = 128;

/** `patience` is how long a job waits for those that were announced, at most, in milliseconds. */
export function groupCommit(steps: CommitSteps, patience = 2): GroupCommit {
  let waiting: Job[] = [];
  let announced = 0;
  let scheduled = false;
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> | undefined;

  /** Begins the commit at the end of this turn of the event loop, or after a short wait for those who are coming. */
  function consider(): void {
    if (scheduled || flushing !== undefined || waiting.length === 0) return;
    if (waiting.length >= announced) {
      scheduled = true;
      setImmediate(start);
    } else timer ??= setTimeout(start, patience);
  }

  function start(): void {
    scheduled = false;
    clearTimeout(timer);
    timer = undefined;
    flushing ??= flush();
  }

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, transactionsPerCommit);
      waiting = waiting.slice(transactionsPerCommit);
      await commitTogether(batch);
    }
    // In the same step that found nobody waiting: whoever comes later starts a flush of their own.
    flushing = undefined;
  }

  async function commitTogether(batch: readonly Job[]): Promise<void> {
    try {
      steps.begin();
      const answers: (() => void)[] = [];
      for (const job of batch) answers.push(await runJob(job));
      steps.commit();
      for (const answer of answers) answer();
    } catch (error) {
      steps.rollback();
      for (const job of batch) job.reject(error);
    }
  }

  /**
   * Runs one job inside the open commit; its own failure undoes it alone. The caller hears of either only once the
   * commit is done: what a job found, a row that is spent, say, may be the work of another job of the same commit.
   */
  async function runJob(job: Job): Promise<() => void> {
    steps.mark();
    try {
      const value = await job.work(steps.connection);
      steps.keep();
      return () => job.resolve(value);
    } catch (error) {
      steps.undo();
      return () => job.reject(error);
    }
  }

  return {
    add(job) {
      waiting.push(job);
      consider();
    },
    announce() {
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
      while (waiting.length > 0 || flushing !== undefined) {
        start();
        await flushing;
      }
    },
  };
}
