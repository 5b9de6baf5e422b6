export interface ProcessFigures {
  readonly version: string;
  readonly started_at: Date;
  readonly workers: number;
  readonly hashing: {
    readonly running: number;
    readonly waiting: number;
    readonly slots: number;
    readonly most_waiting: number;
  };
  /** Undefined if no email can be sent. */
  readonly mail:
    | {
        readonly waiting: number;
        readonly failed: number;
        readonly failing: boolean;
      }
    | undefined;
  readonly unwritten: {
    readonly uses: number;
    readonly events: number;
    readonly refusals: number;
    readonly counts: number;
  };
  /** When expired rows were last deleted; undefined before the first time. */
  readonly swept_at: Date | undefined;
  /** Days for which audit events, IP addresses and refusals are stored; 0 means forever. */
  readonly retention: {
    readonly audit_events: number;
    readonly addresses: number;
    readonly refusals: number;
    readonly notify_on_expiry?: boolean;
  };
}
