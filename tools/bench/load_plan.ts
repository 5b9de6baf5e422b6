/** The input and output of the load generator; both travel as JSON between the processes. */

import type { ClockPlace } from "./loop_clock.ts";

export interface LoadPlan {
  /** The host must be a loopback address, because this tool must not be aimed at other machines. */
  readonly origin: string;
  readonly work: Work;
  /**
   * Concurrent requests of another kind: they are checked and their rate is reported, but not their
   * latencies.
   */
  readonly background?: Work;
  readonly warm_up: Extent;
  readonly measured: Extent;
  /** Number of correct responses to return, as a random sample. */
  readonly kept_answers: number;
  /**
   * Process IDs by name. The processor time of each, with all its descendants, is read at the beginning and
   * at the end.
   */
  readonly watched: Readonly<Record<string, number>>;
  /** Where the process `server` reports its event loop; set only if this process does all of the work. */
  readonly clock?: ClockPlace | undefined;
}

/** A duration, or a number of responses. */
export type Extent = { readonly seconds: number } | { readonly answers: number };

/** The steps that each connection repeats in this order. */
export interface Work {
  readonly connections: number;
  /**
   * All steps together count as one response. If it is kept (`kept_answers`), the stored text is that of the
   * last step.
   */
  readonly steps: readonly [Step, ...Step[]];
  /** The initial value of `{carried}` of each connection, by the connection's index. */
  readonly carried?: readonly string[];
  /** The pause between a response and the next request of the same connection. */
  readonly pause_ms?: number;
}

/**
 * A request. In its target, headers and body, `{variant}` is replaced by one of `variants`, and `{carried}`
 * by the value that the connection got from its previous response (`carry`). Neither is encoded.
 */
export interface Step {
  readonly method: "GET" | "POST";
  /** Path and query. */
  readonly target: string;
  /** In addition to Host, Connection and Content-Length. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly variants?: {
    readonly values: readonly [string, ...string[]];
    /**
     * `in_turn`: all connections take the values in turn, repeatedly. `once`: each value is used once, and
     * connections close when none is left. `by_connection`: each connection has the value with its index.
     */
    readonly used: "in_turn" | "once" | "by_connection";
  };
  /**
   * A response is correct if it has this status and contains each of these parts: in its body if its status
   * is 200, otherwise in its head.
   */
  readonly expected: { readonly status: number; readonly parts: readonly string[] };
  /**
   * A regular expression whose first group becomes the connection's `{carried}`. It is applied to the body or
   * head that must contain the parts.
   */
  readonly carry?: string;
}

export interface LoadReport {
  /** Correct responses during the measurement, and its duration. */
  readonly answers: number;
  readonly seconds: number;
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** The rate of the background requests; 0 without any. */
  readonly background_per_second: number;
  /** Wrong and missing responses, including those of the warm-up, and their number by error. */
  readonly failures: number;
  readonly errors: Readonly<Record<string, number>>;
  /** The number of responses by status, including those of the warm-up. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly kept: readonly string[];
  /** The final value of `{carried}` of each connection. */
  readonly carried: readonly string[];
  /**
   * Processor seconds of the measurement: of each watched process (null if unknown), and of the
   * generator.
   */
  readonly cpu_seconds: Readonly<Record<string, number | null>>;
  readonly own_cpu_seconds: number;
  /**
   * The part of `cpu_seconds` that the first thread of each process took. In a Node process this thread is
   * the event loop, which limits the process's rate. Missing in reports of earlier versions.
   */
  readonly loop_seconds?: Readonly<Record<string, number | null>>;
  /**
   * The share of the time (0 to 1) in which the server's event loop waited for events. Missing if the server
   * does not report it, and in reports of earlier versions.
   */
  readonly idle_share?: number;
  /** The share of all cores (0 to 1) that other processes took; null if unknown. */
  readonly foreign_cpu_share: number | null;
}
