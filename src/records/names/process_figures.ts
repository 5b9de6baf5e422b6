/** The figures of one server process. */
export interface ProcessFigures {
  readonly version: string;
  readonly started_at: Date;
  /** Processes that share the port; the others have figures of their own. */
  readonly workers: number;
  /** Password and secret hashes: under way, waiting for a slot, and how many of each there may be. */
  readonly hashing: {
    readonly running: number;
    readonly waiting: number;
    readonly slots: number;
    readonly most_waiting: number;
  };
  /** Undefined if no mail can be sent. */
  readonly mail:
    | {
        /** Not yet sent, those included that are being sent or wait for another attempt. */
        readonly waiting: number;
        /** Given up or dropped since the process started. */
        readonly failed: number;
        /** The one that was finished last was not sent. */
        readonly failing: boolean;
      }
    | undefined;
  /** Gathered in memory and about to be written. */
  readonly unwritten: {
    readonly uses: number;
    readonly events: number;
    readonly refusals: number;
    readonly counts: number;
  };
  /** When expired rows were last looked for without a failure; undefined if that has not happened yet. */
  readonly swept_at: Date | undefined;
  /** Days for which records are kept; 0 is forever. */
  readonly retention: {
    readonly audit_events: number;
    readonly addresses: number;
    readonly refusals: number;
    /** The rows of expired sessions stay until their apps are told. */
    readonly notify_on_expiry?: boolean;
  };
}
