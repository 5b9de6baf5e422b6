/** What the load generator is told and what it answers; both travel as JSON between the processes. */

export interface LoadPlan {
  /** The host must be a loopback address: this is no tool to aim at other machines. */
  readonly url: string;
  readonly method: "GET" | "POST";
  /** Beside Host, Connection and Content-Length. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent in turn, over and over. */
  readonly bodies: readonly [string, ...string[]];
  readonly connections: number;
  readonly warm_up_seconds: number;
  /** How long to measure: until a time has passed or a number of answers is there. */
  readonly until: { readonly seconds: number } | { readonly answers: number };
  /** An answer is right when its status is 200 and its body contains each of these. */
  readonly expected: readonly string[];
  /** How many bodies of right answers to hand back: a random sample of the measured ones. */
  readonly kept_answers: number;
  /** Processes whose processor time to read at both ends of the measurement. */
  readonly watched_pids: readonly number[];
}

export interface LoadReport {
  /** Right answers while measuring, and how long that was. */
  readonly answers: number;
  readonly seconds: number;
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Wrong answers and unanswered requests, during the warm-up too, and what was wrong with how many of them. */
  readonly failures: number;
  readonly faults: Readonly<Record<string, number>>;
  /** How often each status came, during the warm-up too. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly kept: readonly string[];
  /** Processor seconds while measuring: the watched processes together (null where unknown), and the generator itself. */
  readonly cpu_seconds: number | null;
  readonly own_cpu_seconds: number;
  /** The share of all cores (0 to 1) that processes neither watched nor the generator took meanwhile; null where unknown. */
  readonly foreign_cpu_share: number | null;
}
