import { UnavailableError } from "../errors.ts";
import type { Log } from "../ops/log.ts";
import { longestLastWrites } from "./stop_budget.ts";

/** Runs the functions one after the other, even if one throws. Then throws the first error. */
export async function eachInTurn(parts: readonly ((() => unknown) | undefined)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const part of parts) {
    try {
      await part?.();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Runs `work`, which writes queued rows and closes the database, for at most `maxWait` milliseconds. If the
 * database is unavailable or too slow, logs that the rows are lost. Throws other errors.
 */
export async function lastWrites(
  work: () => Promise<void>,
  log: Pick<Log, "error">,
  maxWait = longestLastWrites,
): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new UnavailableError("slow", "the database does not respond in time", undefined)),
    maxWait,
  );
  try {
    await Promise.race([work(), late.promise]);
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    log.error(
      { fault: error.kind, reason: error.message },
      "queued writes (events, refusals, last uses, counts) are lost at this shutdown",
    );
  } finally {
    clearTimeout(timer);
  }
}
