import type { Algorithm } from "./algorithms.ts";
import type { Endpoints } from "./checks.ts";
import type { RunningServer } from "./contender.ts";
import type { Extent, Work } from "./load_plan.ts";

/** A measurement: its requests, and the checks of their responses. */
export interface Scenario {
  /** The ID in `--only`. */
  readonly id: string;
  readonly name: string;
  /** Describes what is compared, if the servers do not support exactly the same operation. */
  readonly remark?: string;
  /** The limit of the scenario's rate, and how many such operations one response needs. */
  readonly bound?: { readonly limit: Limit; readonly each: number };
  /** Prepares the data of the requests. Returns undefined if this server does not support the scenario. */
  readonly prepare: (subject: Subject) => Promise<Exercise | undefined>;
}

/**
 * A limit that is measured in the same round: the machine's rate of signatures or Argon2id hashes, or the
 * rate of a server that uses the same framework and returns the same bytes.
 */
export type Limit = Algorithm | "argon2id" | "constant";

export interface Exercise {
  readonly work: Work;
  readonly background?: Work;
  /** Replaces the usual duration if the requests use up their values after a number of responses. */
  readonly warm_up?: Extent;
  readonly measured?: Extent;
  /**
   * Checks a sample of the responses that counted as correct, and the final `{carried}` of the connections.
   * Throws if one is wrong.
   */
  readonly check: (answers: readonly string[], carried: readonly string[]) => Promise<void>;
}

export interface Subject {
  readonly server: RunningServer;
  readonly endpoints: Endpoints;
  readonly connections: number;
  /** Number of different tokens to introspect and to revoke. */
  readonly tokens: number;
  readonly revocations: number;
}
