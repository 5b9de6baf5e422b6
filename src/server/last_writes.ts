/** The last writes of a stopping server. */
import { UnavailableError } from "../errors.ts";
import type { Log } from "../ops/log.ts";
import { longestLastWrites } from "./stop_budget.ts";

/** Runs the parts in sequence, even after a failure, and throws the first error at the end. */
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
 * Resolves when `work` has written and closed everything. An unusable or unresponsive database delays this
 * by at most `maxWait` milliseconds and does not fail the shutdown. The log then states that the queued
 * rows are lost.
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
