/**
 * One commit for several transactions on a single connection: each has a savepoint of its own, all have one
 * flush to disk.
 */

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
  /** Undoes everything since `begin`; does nothing when the database has done so already. */
  rollback(): void;
  /** Marks a place to which `undo` goes back. */
  mark(): void;
  keep(): void;
  undo(): void;
}

/** Runs each job in the next commit; its promise is settled once the commit is on disk. */
export type GroupCommit = BatchQueue<Job>;

/** `maxWait` is how long a job waits for those that were announced, at most, in milliseconds. */
export function groupCommit(steps: CommitSteps, maxWait?: number): GroupCommit {
  async function commitTogether(batch: readonly Job[]): Promise<void> {
    try {
      await steps.begin();
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
   * Runs one job inside the open commit; its own failure undoes it alone. The caller hears of either only
   * once the commit is done: a result that a job read, such as a spent row, may be the work of another job of
   * the same commit.
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

  return batchQueue({ commit: commitTogether, maxWait });
}
