/** What a stopping server still writes. */
import { UnavailableError } from "../errors.ts";
import type { Log } from "../ops/log.ts";

/**
 * Milliseconds for it in all: requests may have taken ten seconds before, and 14 seconds are the end
 * (`stopping.ts`).
 */
const usualPatience = 3500;

/**
 * Resolves when `work` has written and closed everything. A database that cannot be used, or does not answer,
 * holds the end up no longer than `patience` milliseconds and is no failure of the stop: the log says that
 * what waited is lost.
 */
export async function lastWrites(
  work: () => Promise<void>,
  log: Pick<Log, "error">,
  patience = usualPatience,
): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new UnavailableError("slow", "the database does not answer in time", undefined)),
    patience,
  );
  try {
    await Promise.race([work(), late.promise]);
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    log.error(
      { fault: error.fault, reason: error.message },
      "what waited to be written (events, refusals, last uses, counts) is lost with this stop",
    );
  } finally {
    clearTimeout(timer);
  }
}
