/** Log lines of requests that could not be served now: one a second tells as much as one for each. */
import type { HttpLog, UnavailableLog } from "./context.ts";

/** Milliseconds. */
const interval = 1000;

type Facts = Readonly<Record<string, unknown>>;

export function unavailableLog(log: HttpLog): UnavailableLog {
  const ofDatabase = seldom(log, "the database cannot be used");
  const ofHashing = seldom(log, "the server is too busy for some");
  return {
    database: ({ fault, message }, facts) => ofDatabase({ ...facts, fault, reason: message }),
    hashing: ({ message }, facts) => ofHashing({ ...facts, reason: message }),
  };
}

/** A warning that is written once within the interval, with the number of requests since the last line. */
function seldom(log: HttpLog, message: string): (facts: Facts) => void {
  let written_at = Number.NEGATIVE_INFINITY;
  let untold = 0;
  return (facts) => {
    if (performance.now() - written_at < interval) {
      untold += 1;
      return;
    }
    log.warn({ ...facts, requests_before: untold }, message);
    written_at = performance.now();
    untold = 0;
  };
}
