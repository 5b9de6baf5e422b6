/** Time limits in milliseconds for the steps of a shutdown, which run one after the other. */
import { closingTimes } from "../app.ts";

export const stopShares = {
  /** Finishing or aborting requests. */
  requests: closingTimes.maxWait,
  /** Sending waiting emails and, concurrently, writing pending revocations. */
  mails: 2000,
  /** Writing queued rows and closing the database. */
  database: 500,
  /** Sending new events to the audit streams. */
  audit_streams: 500,
  /** Sending waiting traces and metrics to the collector. */
  telemetry: 1000,
} as const;

/** Milliseconds for all steps after the requests have ended, except telemetry (F-30). */
export const longestLastWrites = stopShares.mails + stopShares.database + stopShares.audit_streams;

/** Milliseconds that a shutdown takes if every step uses its full limit. */
export const longestStop = Object.values(stopShares).reduce((sum, share) => sum + share, 0);

/**
 * Milliseconds after which the process ends even if the shutdown is incomplete. Process managers must wait
 * longer before they kill it (docs/operations/running.md).
 */
export const stopLimit = longestStop + 500;
