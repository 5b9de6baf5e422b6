export interface ProcessFigures {
  readonly version: string;
  readonly started_at: Date;
  /** Number of processes that share the port; the others have figures of their own. */
  readonly workers: number;
  /** Password and secret hashes: running, waiting for a slot, and the maximum of each. */
  readonly hashing: {
    readonly running: number;
    readonly waiting: number;
    readonly slots: number;
    readonly most_waiting: number;
  };
  /** Undefined if no mail can be sent. */
  readonly mail:
    | {
        /** Mails not yet sent, including those that are being sent or wait for another attempt. */
        readonly waiting: number;
        /** Mails given up or dropped since the process started. */
        readonly failed: number;
        /** True if the last finished mail could not be sent. */
        readonly failing: boolean;
      }
    | undefined;
  /** Entries collected in memory and not yet written. */
  readonly unwritten: {
    readonly uses: number;
    readonly events: number;
    readonly refusals: number;
    readonly counts: number;
  };
  /** When the last successful sweep of expired rows took place; undefined before the first. */
  readonly swept_at: Date | undefined;
  /** Days that records are stored; 0 means forever. */
  readonly retention: {
    readonly audit_events: number;
    readonly addresses: number;
    readonly refusals: number;
    /** True if rows of expired sessions are stored until their apps are notified. */
    readonly notify_on_expiry?: boolean;
  };
}
