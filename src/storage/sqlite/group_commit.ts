/**
 * One commit for several transactions on a single connection: each has a savepoint of its own, all have one
 * flush to disk. The next commit is written while the last one is flushed.
 */

import { setImmediate as turn } from "node:timers/promises";
import { type BatchQueue, batchQueue } from "../batch_queue.ts";
import type { Connection } from "../driver.ts";

export interface Job {
  readonly work: (connection: Connection) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** The steps of a commit; each acts on the one connection that writes. */
export interface CommitSteps {
  readonly connection: Connection;
  /** Resolves when it is this process's turn to write. */
  begin(): void | Promise<void>;
  commit(): void;
  /** Resolves when what was committed before is on disk. */
  flush(): Promise<void>;
  /** Undoes everything since `begin`; does nothing when the database has done so already. */
  rollback(): void;
  /** Marks a place to which `undo` goes back. */
  mark(): void;
  keep(): void;
  undo(): void;
}

/** Runs each job in the next commit; its promise is settled once the commit is on disk. */
export type GroupCommit = BatchQueue<Job>;

/** Commits under way at once: one is written, or waits to be, while the other is flushed. */
export const commitsAtOnce = 2;

/** `maxWait` is how long a job waits for those that were announced, at most, in milliseconds. */
export function groupCommit(steps: CommitSteps, maxWait?: number): GroupCommit {
  /** Settles when the connection is free. */
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
    // Answers leave before the next commit holds the database, and more jobs come to it.
    await turn();
  }

  /** Writes the commit; the returned functions answer its jobs once it is on disk. */
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
   * Runs one job inside the open commit; its own failure undoes it alone. The caller hears of either only
   * once the commit is on disk: a result that a job read, such as a spent row, may be the work of another job
   * of the same commit.
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
        // A full disk, say, has made the database undo everything: the whole commit fails, for this reason.
        throw error;
      }
      return () => job.reject(error);
    }
  }

  return batchQueue({ commit: commitTogether, lanes: commitsAtOnce, maxWait });
}
