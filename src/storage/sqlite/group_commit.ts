/**
 * Commits several transactions of one connection together, each in its own savepoint. They share one flush to
 * disk, and the next commit is written during the flush.
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
  /** Resolves when no other process is writing. */
  begin(): void | Promise<void>;
  commit(): void;
  /** Resolves when all earlier commits are on disk. */
  flush(): Promise<void>;
  /** Does nothing if SQLite has already rolled back. */
  rollback(): void;
  mark(): void;
  keep(): void;
  undo(): void;
}

/** A job's promise is settled once the commit is on disk. */
export type GroupCommit = BatchQueue<Job>;

/** One commit is flushed while the next one is written. */
export const commitsAtOnce = 2;

/**
 * Returns a queue that commits several transactions together. A commit waits at most `maxWait` milliseconds
 * for further transactions that have announced themselves.
 */
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
    // Lets responses be sent and further jobs arrive before the next commit blocks the event loop.
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
   * Another job of the same commit may have caused the error, so every result is reported only after the
   * commit.
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
        // SQLite has rolled back the whole transaction, for example because the disk is full, so every job
        // fails.
        throw error;
      }
      return () => job.reject(error);
    }
  }

  return batchQueue({ commit: commitTogether, queues: commitsAtOnce, maxWait });
}

/** Milliseconds that this process waits for another one that has locked the file. */
export const busyTimeout = 10_000;

/** Minimum milliseconds that each caller may wait, even if earlier callers have used up `busyTimeout`. */
const leastTimeout = 500;

/** In milliseconds. A commit takes a few milliseconds. */
const firstPause = 1;
const longestPause = 25;

/**
 * Returns whether an error is SQLITE_BUSY: another process has locked the file
 * (https://www.sqlite.org/rescode.html#busy).
 */
export function isBusy(error: unknown): boolean {
  return (((error as { errcode?: number }).errcode ?? 0) & 0xff) === 5;
}

/**
 * Returns a function that retries a step until no other process has locked the file. It throws SQLITE_BUSY
 * after `busyTimeout`, counted from the first failed attempt of any caller.
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
   * Resolves when everything that was committed before the call is on disk. After a failure, every later call
   * throws too.
   */
  flush(): Promise<void>;
  prove(): void;
  close(): void;
}

/** Returns functions that flush the write-ahead log of a database, which must stay open until `close`. */
export function logFlushOf(path: string, most: number): LogFlush {
  // One descriptor per concurrent flush, because Linux reports a write error only once per descriptor.
  // Windows flushes only writable descriptors.
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
          // Every later flush must fail too: the system treats the lost pages as written, so a second flush
          // would succeed without them.
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
