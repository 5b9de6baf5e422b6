/** The last writes of a stopping server. */
import { UnavailableError } from "../errors.ts";
import type { Log } from "../ops/log.ts";
import { longestLastWrites } from "./stop_budget.ts";

/** Ends one part after the other, also after one that fails; throws the first failure then. */
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
 * Resolves when `work` has written and closed everything. A database that cannot be used, or does not answer,
 * holds the end up no longer than `maxWait` milliseconds and is no failure of the stop: the log says that the
 * waiting rows are lost.
 */
export async function lastWrites(
  work: () => Promise<void>,
  log: Pick<Log, "error">,
  maxWait = longestLastWrites,
): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new UnavailableError("slow", "the database does not answer in time", undefined)),
    maxWait,
  );
  try {
    await Promise.race([work(), late.promise]);
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    log.error(
      { fault: error.kind, reason: error.message },
      "what waited to be written (events, refusals, last uses, counts) is lost with this stop",
    );
  } finally {
    clearTimeout(timer);
  }
}
