/** Time limits of a shutdown: of its parts, which run in sequence, and of the whole. */
import { closingTimes } from "../app.ts";

/** Milliseconds for each part of a shutdown. */
export const stopShares = {
  /** For finishing or aborting requests. */
  requests: closingTimes.maxWait,
  /** For retrying mails and, concurrently, writing pending revocations. */
  mails: 2000,
  /** For writing queued rows and closing the database. */
  database: 500,
  /** For writing new events to the audit streams. The next start sends the rest. */
  audit_streams: 500,
  /** For sending waiting telemetry to the collector. */
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
