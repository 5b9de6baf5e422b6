/** Repeats work that conflicted with concurrent transactions, after a random pause. */
import { setTimeout as pause } from "node:timers/promises";
import { UniqueViolation } from "../../errors/violations.ts";
import type { PostgresError } from "./connection.ts";

/** The pauses of all attempts take less than two seconds in total. */
const mostAttempts = 14;
/** In milliseconds. The maximum of a random pause doubles with each attempt. */
const firstPause = 2;
const longestPause = 200;

/**
 * After these errors, no change was stored (class 40, PostgreSQL, appendix A). The outcome of 40003 is
 * unknown.
 */
const undone: ReadonlySet<string> = new Set(["40000", "40001", "40P01"]);

/** Returns whether the database rolled a transaction back because of a conflict. */
export function isConflict(error: unknown): boolean {
  return undone.has((error as PostgresError | undefined)?.code ?? "");
}

/**
 * duplicate_table and duplicate_object: another process created the object after `IF NOT EXISTS` had checked
 * it.
 */
const made: ReadonlySet<string> = new Set(["42P07", "42710"]);

function isTaken(error: unknown): boolean {
  return error instanceof UniqueViolation || made.has((error as PostgresError | undefined)?.code ?? "");
}

/**
 * Repeats `attempt` after conflicts, and once if what it creates already exists. Throws other errors
 * immediately, because the commit may have succeeded.
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
