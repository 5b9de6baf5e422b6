import type { Algorithm } from "./algorithms.ts";
import type { Endpoints } from "./checks.ts";
import type { RunningServer } from "./contender.ts";
import type { Extent, Work } from "./load_plan.ts";

/** A measurement: its requests, and the checks of their answers. */
export interface Scenario {
  /** Its name in `--only`. */
  readonly id: string;
  readonly name: string;
  /** The compared operation, if the servers cannot do the very same. */
  readonly remark?: string;
  /** The upper limit of its speed, and how much of it one answer needs. */
  readonly bound?: { readonly limit: Limit; readonly each: number };
  /** Makes first whatever the requests are about; undefined where this server cannot do it. */
  readonly prepare: (subject: Subject) => Promise<Exercise | undefined>;
}

/**
 * Measured in the same round: signatures, Argon2id hashes, or the same framework answering the same bytes.
 */
export type Limit = Algorithm | "argon2id" | "constant";

export interface Exercise {
  readonly work: Work;
  readonly background?: Work;
  /** Used if a duration does not work, because the requested values are used up. */
  readonly warm_up?: Extent;
  readonly measured?: Extent;
  /**
   * Looks at a sample of the answers that counted as right, and at what the connections carry. Throws where
   * one is not.
   */
  readonly check: (answers: readonly string[], carried: readonly string[]) => Promise<void>;
}

export interface Subject {
  readonly server: RunningServer;
  readonly endpoints: Endpoints;
  readonly connections: number;
  /** How many different tokens to introspect, and how many to revoke. */
  readonly tokens: number;
  readonly revocations: number;
}
