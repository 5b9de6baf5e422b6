/** Time limits in milliseconds for the steps of a shutdown, which run one after the other. */
import { closingTimes } from "../app.ts";

export const stopShares = {
  requests: closingTimes.maxWait,
  /** Sending waiting emails and, concurrently, writing pending revocations. */
  mails: 2000,
  database: 500,
  audit_streams: 500,
  telemetry: 1000,
} as const;

/** In milliseconds, for all steps after the requests have ended, except telemetry (F-30). */
export const longestLastWrites = stopShares.mails + stopShares.database + stopShares.audit_streams;

/** In milliseconds. */
export const longestStop = Object.values(stopShares).reduce((sum, share) => sum + share, 0);

/**
 * In milliseconds. Process managers must wait longer before they kill the process
 * (docs/operations/running.md).
 */
export const stopLimit = longestStop + 500;
