/**
 * Combines several transactions on a single connection into one commit. Each has its own savepoint, and all
 * share one flush to disk. The next commit is written while the previous one is flushed.
 */

import fs from "node:fs";
import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
import { UnavailableError } from "../../errors.ts";
import { type BatchQueue, batchQueue } from "../database/batch_queue.ts";
import type { Connection } from "../database/driver.ts";

interface Job {
  readonly work: (connection: Connection) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

export interface CommitSteps {
  readonly connection: Connection;
  /** Resolves when it is this process's turn to write. */
  begin(): void | Promise<void>;
  commit(): void;
  /** Resolves when earlier commits are on disk. */
  flush(): Promise<void>;
  /** Undoes everything since `begin`. Does nothing if the database has done so already. */
  rollback(): void;
  mark(): void;
  keep(): void;
  undo(): void;
}

/** Runs each job in the next commit; its promise is settled once the commit is on disk. */
export type GroupCommit = BatchQueue<Job>;

/** Maximum concurrent commits: while one is flushed, the next is written or waits to be. */
export const commitsAtOnce = 2;

/** `maxWait` is the maximum time in milliseconds that a job waits for announced jobs. */
export function groupCommit(steps: CommitSteps, maxWait?: number): GroupCommit {
  let written: Promise<unknown> = Promise.resolve();

  async function commitTogether(batch: readonly Job[]): Promise<void> {
    const writing = written.then(() => write(batch));
    written = writing.catch(() => {});
    try {
      const answers = await writing;
      await steps.flush();
      for (const answer of answers) answer();
    } catch (error) {
      for (const job of batch) job.reject(error);
    }
    // Sends the responses before the next commit occupies the database, and lets more jobs join it.
    await turn();
  }

  async function write(batch: readonly Job[]): Promise<readonly (() => void)[]> {
    try {
      await steps.begin();
      const answers: (() => void)[] = [];
      for (const job of batch) answers.push(await runJob(job));
      steps.commit();
      return answers;
    } catch (error) {
      steps.rollback();
      throw error;
    }
  }

  /**
   * The caller receives the result or error only once the commit is on disk, because another job of the same
   * commit may have caused it, for example by using up a row.
   */
  async function runJob(job: Job): Promise<() => void> {
    steps.mark();
    try {
      const value = await job.work(steps.connection);
      steps.keep();
      return () => job.resolve(value);
    } catch (error) {
      try {
        steps.undo();
      } catch {
        // The database has undone everything, for example because the disk is full, so the whole commit fails
        // with this error.
        throw error;
      }
      return () => job.reject(error);
    }
  }

  return batchQueue({ commit: commitTogether, queues: commitsAtOnce, maxWait });
}

/** Milliseconds that one process waits for another that holds the file. */
export const busyTimeout = 10_000;

/**
 * Every caller may wait at least this many milliseconds, even if another process has already held the file
 * for `busyTimeout`.
 */
const leastTimeout = 500;

/** In milliseconds. A commit takes a few milliseconds. */
const firstPause = 1;
const longestPause = 25;

/**
 * Returns whether the primary result code, the lowest byte, is SQLITE_BUSY
 * (https://www.sqlite.org/rescode.html#busy).
 */
export function isBusy(error: unknown): boolean {
  return (((error as { errcode?: number }).errcode ?? 0) & 0xff) === 5;
}

/**
 * Returns a function that runs a step as soon as no other process holds the file. It throws SQLITE_BUSY if
 * that takes too long. The time counts from the first attempt that found the file held, so the waits of
 * successive callers do not add up.
 */
export function takingTurns(
  now: () => number = () => performance.now(),
): (step: () => void) => Promise<void> {
  let heldSince: number | undefined;
  return async (step) => {
    const from = now();
    for (let wait = firstPause; ; wait = Math.min(wait * 2, longestPause)) {
      try {
        step();
        heldSince = undefined;
        return;
      } catch (error) {
        if (!isBusy(error)) throw error;
        heldSince ??= from;
        if (now() > Math.max(heldSince + busyTimeout, from + leastTimeout)) throw error;
      }
      await pause(wait);
    }
  };
}

export interface LogFlush {
  /**
   * Resolves when everything that was committed before the call is on disk. After one failure, every call
   * throws.
   */
  flush(): Promise<void>;
  prove(): void;
  close(): void;
}

/**
 * Returns functions that flush the write-ahead log of a database file. The file must stay open in WAL mode
 * until `close`. `most` is the maximum number of concurrent flushes.
 */
export function logFlushOf(path: string, most: number): LogFlush {
  // Linux reports a lost page once per descriptor, so of two flushes on one descriptor the second would
  // succeed. Windows flushes only writable descriptors. SQLite's locks are on other files, so closing these
  // descriptors releases none of them.
  const logs = Array.from({ length: most }, () => fs.openSync(`${path}-wal`, "r+"));
  const free = [...logs];
  let failure: UnavailableError | undefined;
  const prove = () => {
    if (failure !== undefined) throw failure;
  };
  return {
    prove,
    flush: () =>
      new Promise((resolve, reject) => {
        prove();
        const log = free.pop();
        if (log === undefined) throw new Error(`${most} flushes are under way`);
        fs.fdatasync(log, (error) => {
          free.push(log);
          if (error === null) return resolve();
          // From now on every flush fails: a second one would succeed without the pages of this one, because
          // the system treats them as written.
          const sentence = `the disk failed to store a commit; repair the disk, then restart the server: ${error.message}`;
          failure ??= new UnavailableError("away", sentence, error);
          reject(failure);
        });
      }),
    close() {
      for (const log of logs) fs.closeSync(log);
    },
  };
}
