/** The input and output of the load generator; both travel as JSON between the processes. */

import type { ClockPlace } from "./loop_clock.ts";

export interface LoadPlan {
  /** The host must be a loopback address: this is no tool to aim at other machines. */
  readonly origin: string;
  readonly work: Work;
  /** Concurrent requests of another kind: checked, with a reported rate, but without latencies. */
  readonly background?: Work;
  readonly warm_up: Extent;
  readonly measured: Extent;
  /** How many right answers to hand back: a random sample of the measured ones. */
  readonly kept_answers: number;
  /**
   * Processes by what they are; each counts with all its descendants. Their processor time is read at both
   * ends.
   */
  readonly watched: Readonly<Record<string, number>>;
  /**
   * The port at which the process watched as `server` reports its event loop, if it does all its work itself.
   */
  readonly clock?: ClockPlace | undefined;
}

/** Until a time has passed or a number of responses has arrived. */
export type Extent = { readonly seconds: number } | { readonly answers: number };

/** Requests that each connection makes one after the other, from the first step to the last and again. */
export interface Work {
  readonly connections: number;
  /** All of them together count as one answer, and the stored result is the answer to the last. */
  readonly steps: readonly [Step, ...Step[]];
  /** The initial state of connection i. */
  readonly carried?: readonly string[];
  /** Between an answer and the next request of the same connection. */
  readonly pause_ms?: number;
}

/**
 * A request. `{variant}` and `{carried}` in its target, headers or body are replaced, verbatim, by what
 * `variants` says and by what the connection carries.
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
     * `in_turn`: all connections take them in turn, over and over. `once`: each is used once, and when none
     * is left the connections close. `by_connection`: connection i has the i-th.
     */
    readonly used: "in_turn" | "once" | "by_connection";
  };
  /**
   * An answer is right when it has this status, and its body (its head, where the status is not 200) each of
   * these.
   */
  readonly expected: { readonly status: number; readonly parts: readonly string[] };
  /**
   * A regular expression: its first group is what the connection carries from here on. It is looked for where
   * the expected parts are.
   */
  readonly carry?: string;
}

export interface LoadReport {
  /** Right answers while measuring, and how long that was. */
  readonly answers: number;
  readonly seconds: number;
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Of the background; 0 where there is none. */
  readonly background_per_second: number;
  /** Wrong and missing answers, during the warm-up too, with their number by error. */
  readonly failures: number;
  readonly errors: Readonly<Record<string, number>>;
  /** How often each status came, during the warm-up too. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly kept: readonly string[];
  /** The final state of each connection of the work. */
  readonly carried: readonly string[];
  /**
   * Processor seconds while measuring: of each that was watched (null where unknown), and of the generator
   * itself.
   */
  readonly cpu_seconds: Readonly<Record<string, number | null>>;
  readonly own_cpu_seconds: number;
  /**
   * The part of `cpu_seconds` that first threads took: of a Node process its event loop, which bounds it.
   * Missing in reports of earlier versions.
   */
  readonly loop_seconds?: Readonly<Record<string, number | null>>;
  /**
   * The share of the time (0 to 1) in which the server's event loop waited for events. Missing if the server
   * does not report it, and in reports of earlier versions.
   */
  readonly idle_share?: number;
  /**
   * The share of all cores (0 to 1) that processes neither watched nor the generator took meanwhile; null
   * where unknown.
   */
  readonly foreign_cpu_share: number | null;
}
