/** Log lines of requests that could not be served now: one a second tells as much as one for each. */
import type { OverloadedError, UnavailableError } from "../errors.ts";
import type { HttpLog } from "./context.ts";

/** Milliseconds. */
const interval = 1000;

type Lines = WeakMap<HttpLog, { at: number; untold: number }>;

/** When each log was last written to, and how many requests it has not been told of since. */
const ofDatabase: Lines = new WeakMap();
const ofHashing: Lines = new WeakMap();

type Facts = Readonly<Record<string, unknown>>;

function tell(lines: Lines, facts: Facts, message: string, log: HttpLog): void {
  const line = lines.get(log) ?? { at: Number.NEGATIVE_INFINITY, untold: 0 };
  lines.set(log, line);
  if (performance.now() - line.at < interval) {
    line.untold += 1;
    return;
  }
  log.warn({ ...facts, requests_before: line.untold }, message);
  line.at = performance.now();
  line.untold = 0;
}

/** Notes a request that was answered 503 because of the database. */
export function logUnavailable({ fault, message }: UnavailableError, facts: Facts, log: HttpLog): void {
  tell(ofDatabase, { ...facts, fault, reason: message }, "the database cannot be used", log);
}

/** Notes a request that was answered 503 because too many hashes were waiting. */
export function logOverloaded({ message }: OverloadedError, facts: Facts, log: HttpLog): void {
  tell(ofHashing, { ...facts, reason: message }, "the server is too busy for some", log);
}
