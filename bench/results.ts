/** What a run of the benchmark found: the value that `--json` prints. Members ending in _bytes, _ms, _seconds carry that unit. */
import type { LoadReport } from "./load_plan.ts";
import type { Machine } from "./machine.ts";

export interface Results {
  readonly machine: Machine;
  readonly options: BenchOptions;
  /** Names and versions; this server first. */
  readonly servers: readonly { readonly name: string; readonly version: string }[];
  readonly scenarios: readonly {
    readonly name: string;
    readonly remark?: string;
    readonly signatures: number;
  }[];
  readonly rounds: readonly Round[];
}

export interface BenchOptions {
  readonly rounds: number;
  readonly warm_up_seconds: number;
  readonly measured_seconds: number;
  readonly connections: number;
  /** Different tokens that are introspected. */
  readonly tokens: number;
}

export interface Round {
  /** RS256 signatures a second on all cores, with nothing else running. */
  readonly rsa_limit: number;
  /** The load generator against bare `node:http` with a constant answer. */
  readonly constant: Load;
  readonly runs: readonly ServerRun[];
}

export interface ServerRun {
  readonly server: string;
  readonly cold_start_seconds: number;
  readonly idle_bytes: number | null;
  readonly loaded_bytes: number | null;
  readonly measurements: readonly Measurement[];
}

export interface Measurement {
  readonly scenario: string;
  readonly load: Load;
  /** Why its answers are not to be trusted, beside what `load` counted. */
  readonly faults: readonly string[];
}

/** The answers themselves hold tokens and are of no use afterwards. */
export type Load = Omit<LoadReport, "kept">;

/** Everything that was wrong, a sentence each; no figure of a run with faults counts. */
export function faultsOf({ rounds }: Results): string[] {
  return rounds.flatMap(({ runs }, index) =>
    runs.flatMap(({ server, measurements }) =>
      measurements.flatMap(({ scenario, load, faults }) => {
        const counted = Object.entries(load.faults).map(([reason, count]) => `${count} × ${reason}`);
        const none = load.answers === 0 ? ["no answer was right"] : [];
        return [...faults, ...counted, ...none].map(
          (fault) => `round ${index + 1}, ${server}, ${scenario}: ${fault}`,
        );
      }),
    ),
  );
}
