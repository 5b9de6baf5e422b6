/** Repeats work that lost a conflict with concurrent work, after a random pause. */
import { setTimeout as pause } from "node:timers/promises";
import { UniqueViolation } from "../../errors/violations.ts";
import type { PostgresError } from "./connection.ts";

/** Maximum attempts: with the longest pauses, they take two seconds in addition to the work. */
const mostAttempts = 14;
/** The first pause in milliseconds, doubled for each further attempt. */
const firstPause = 2;
const longestPause = 200;

/**
 * Class 40 of PostgreSQL's appendix A: nothing of the transaction was kept. With 40003 that is unknown, so it
 * is not among them.
 */
const undone: ReadonlySet<string> = new Set(["40000", "40001", "40P01"]);

/** Whether the database undid a transaction for the sake of another one. */
export function isConflict(error: unknown): boolean {
  return undone.has((error as PostgresError | undefined)?.code ?? "");
}

/**
 * duplicate_table and duplicate_object: `IF NOT EXISTS` looks before it makes, and another process was
 * quicker in between.
 */
const made: ReadonlySet<string> = new Set(["42P07", "42710"]);

/** Whether a row of the same key, or a table of the same name, was there. */
function isTaken(error: unknown): boolean {
  return error instanceof UniqueViolation || made.has((error as PostgresError | undefined)?.code ?? "");
}

/**
 * Repeats `attempt` for as long as it meets conflicts, and once if the row or table that it creates already
 * existed: the second attempt sees it. Any other error is thrown immediately, above all a broken connection,
 * because the commit may have succeeded.
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
