/** Repeats work that conflicted with concurrent work, after a random pause. */
import { setTimeout as pause } from "node:timers/promises";
import { UniqueViolation } from "../../errors/violations.ts";
import type { PostgresError } from "./connection.ts";

/** The pauses between the attempts take less than two seconds in total. */
const mostAttempts = 14;
/**
 * Milliseconds from which the upper bound of the random pauses is computed. The bound doubles with each
 * attempt, up to `longestPause`.
 */
const firstPause = 2;
const longestPause = 200;

/**
 * Errors of class 40 (PostgreSQL, appendix A) after which nothing of the transaction was stored. 40003 is
 * excluded, because its outcome is unknown.
 */
const undone: ReadonlySet<string> = new Set(["40000", "40001", "40P01"]);

/** Returns whether the database rolled a transaction back in favor of another one. */
export function isConflict(error: unknown): boolean {
  return undone.has((error as PostgresError | undefined)?.code ?? "");
}

/**
 * duplicate_table and duplicate_object: `IF NOT EXISTS` checks before it creates, and another process may
 * create the object in between.
 */
const made: ReadonlySet<string> = new Set(["42P07", "42710"]);

function isTaken(error: unknown): boolean {
  return error instanceof UniqueViolation || made.has((error as PostgresError | undefined)?.code ?? "");
}

/**
 * Repeats `attempt` as long as conflicts occur. If the row or table that it creates already exists, repeats
 * it once, because the second attempt sees that row or table. Throws other errors immediately, because the
 * commit may have succeeded, for example after a broken connection.
 */
export async function repeatedly<R>(attempt: () => Promise<R>): Promise<R> {
  let wasTaken = false;
  for (let turn = 1; ; turn++) {
    try {
      return await attempt();
    } catch (error) {
      const isFirst: boolean = !wasTaken && isTaken(error);
      if (!isFirst && !isConflict(error)) throw error;
      if (turn === mostAttempts) throw error;
      wasTaken ||= isFirst;
      await pause(Math.random() * Math.min(firstPause * 2 ** turn, longestPause));
    }
  }
}
