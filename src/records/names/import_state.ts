interface ImportCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly refused: number;
}

export interface ImportState {
  readonly phase: "checking" | "checked" | "importing" | "imported" | "failed";
  readonly dry_run: boolean;
  readonly system: string;
  readonly source: string;
  /**
   * When the run last reported, in milliseconds since 1970. A run that has not reported for a minute counts
   * as stopped.
   */
  readonly heard_at: number;
  readonly done: number;
  readonly total: number;
  readonly people?: ImportCounts;
  readonly memberships?: readonly { readonly organization: string; readonly count: number }[];
  readonly records?: {
    readonly created: readonly string[];
    readonly stay: number;
    readonly refused: readonly string[];
  };
  readonly losses?: readonly { readonly kind: string; readonly count: number }[];
  readonly clients?: readonly { readonly client_id: string; readonly changes: readonly string[] }[];
  readonly other_subjects?: number;
  readonly error?: string;
}
