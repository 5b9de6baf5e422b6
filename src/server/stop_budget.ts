/** Time limits of a shutdown: of its parts, which run in sequence, and of the whole. */
import { closingTimes } from "../app.ts";

export const stopShares = {
  /** Milliseconds to finish or abort requests. */
  requests: closingTimes.maxWait,
  /** Milliseconds to retry emails and, concurrently, write pending revocations. */
  mails: 2000,
  /** Milliseconds to write queued rows and close the database. */
  database: 500,
  /** Milliseconds to write new events to the audit streams; the next start sends the rest. */
  audit_streams: 500,
  /** Milliseconds to send waiting telemetry to the collector. */
  telemetry: 1000,
} as const;

/** Milliseconds for the writes after the requests have ended (F-30). */
export const longestLastWrites = stopShares.mails + stopShares.database + stopShares.audit_streams;

/** Milliseconds of a shutdown in which every part uses its full limit. */
export const longestStop = Object.values(stopShares).reduce((sum, share) => sum + share, 0);

/**
 * Milliseconds after which a shutdown has failed. Units and containers wait longer before they kill the
 * process (`deploy/`, docs/operations/running.md).
 */
export const stopLimit = longestStop + 500;
