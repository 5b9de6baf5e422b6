/** The time of a stop: what each part of it may take, one after the other, and when all is over. */
import { closingTimes } from "../app.ts";

/** Milliseconds for each part of a stop. */
export const stopShares = {
  /** Requests are answered or given up. */
  requests: closingTimes.maxWait,
  /** Mails are tried once more; revocations that the database has not taken yet, beside them. */
  mails: 2000,
  /** What waits is written, and the database is closed. */
  database: 500,
  /** The audit streams take what is new. What they leave comes again with the next start. */
  audit_streams: 500,
  /** The collector takes what waits. */
  telemetry: 1000,
} as const;

/** Milliseconds for what is written once the requests are answered (F-30). */
export const longestLastWrites = stopShares.mails + stopShares.database + stopShares.audit_streams;

/** Milliseconds that a stop takes where each part takes its whole share. */
export const longestStop = Object.values(stopShares).reduce((sum, share) => sum + share, 0);

/**
 * Milliseconds until a stop has failed. Units and containers wait longer before they kill (`deploy/`,
 * docs/operations/running.md).
 */
export const stopLimit = longestStop + 500;
