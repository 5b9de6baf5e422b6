/** Log lines of requests that the database was not there for: one a second tells as much as one for each. */
import type { UnavailableError } from "../errors.ts";
import type { HttpLog } from "./context.ts";

/** Milliseconds. */
const interval = 1000;

/** When each log was last written to, and how many requests it has not been told of since. */
const lines = new WeakMap<HttpLog, { at: number; untold: number }>();

/** Notes a request that was answered 503 because of the database. */
export function noteUnavailable(
  { fault, message }: UnavailableError,
  facts: Readonly<Record<string, unknown>>,
  log: HttpLog,
): void {
  const line = lines.get(log) ?? { at: Number.NEGATIVE_INFINITY, untold: 0 };
  lines.set(log, line);
  if (performance.now() - line.at < interval) {
    line.untold += 1;
    return;
  }
  log.warn({ ...facts, fault, reason: message, requests_before: line.untold }, "the database cannot be used");
  line.at = performance.now();
  line.untold = 0;
}
