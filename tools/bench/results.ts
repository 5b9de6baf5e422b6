/** The result of a benchmark run, as `--json` prints it. The suffixes _bytes, _ms and _seconds are units. */
import type { Algorithm } from "./algorithms.ts";
import type { LoadReport } from "./load_plan.ts";
import type { Machine } from "./machine.ts";
import type { Memory } from "./process_usage.ts";
import type { Limit, Scenario } from "./scenario.ts";
import { median } from "./statistics.ts";

export interface Results {
  readonly machine: Machine;
  /** Set if a server with PostgreSQL took part. */
  readonly postgres?: { readonly version: string; readonly settings: Readonly<Record<string, string>> };
  readonly options: BenchOptions;
  readonly servers: readonly { readonly id: string; readonly name: string; readonly version: string }[];
  readonly scenarios: readonly Pick<Scenario, "id" | "name" | "remark" | "bound">[];
  readonly rounds: readonly Round[];
}

export interface BenchOptions {
  readonly rounds: number;
  readonly warm_up_seconds: number;
  readonly measured_seconds: number;
  readonly connections: number;
  /** Milliseconds by which each flush of an SQLite log is delayed. */
  readonly flush_ms?: number;
  /** Tokens in the databases before any measurement; 0 if the scenarios issue the tokens that they use. */
  readonly rows: number;
  /** Number of different tokens that are introspected (`tokens`) and that are revoked (`revocations`). */
  readonly tokens: number;
  readonly revocations: number;
  /** Users in the databases in addition to those who sign in; 0 if no scenario lists them. */
  readonly users: number;
}

export interface Round {
  /** Signatures and Argon2id hashes per second on all cores with no other load, if they limit a scenario. */
  readonly limits: Readonly<Partial<Record<Exclude<Limit, "constant">, number>>>;
  /** Signatures per second that all cores verify. */
  readonly verified: Readonly<Partial<Record<Algorithm, number>>>;
  /** The report of the load generator against a `node:http` server that returns a constant. */
  readonly generator: Load;
  readonly runs: readonly ServerRun[];
}

export interface ServerRun {
  readonly server: string;
  readonly cold_start_seconds: number;
  /**
   * Memory of each process after the start and before any load, by the name of the process. The first is the
   * server itself.
   */
  readonly idle: Readonly<Record<string, Memory | null>>;
  readonly measurements: readonly Measurement[];
}

export interface Measurement {
  readonly scenario: string;
  readonly load: Load;
  /** Memory of each process at the end of the measurement, by the name of the process. */
  readonly memory: Readonly<Record<string, Memory | null>>;
  /** Reasons why the responses are wrong, in addition to the errors counted in `load`. */
  readonly errors: readonly string[];
}

/** The report without the responses, which contain tokens and are of no use after the run. */
export type Load = Omit<LoadReport, "kept" | "carried">;

/** The contender that does only what every durable server must do per request. */
export const floorServer = "floor";

/** The contender that returns constants. Its rate is the limit of the document scenarios. */
export const constantServer = "fastify";

/**
 * Joins two runs, which may have had different servers and scenarios, because ratios are computed within a
 * round. Throws unless both were measured in the same way.
 */
export function joined(before: Results, after: Results): Results {
  const wayOf = ({ options }: Results) => JSON.stringify({ ...options, rounds: 0 });
  if (wayOf(before) !== wayOf(after)) throw new Error("--continue: the last run had other settings");
  const rounds = [...before.rounds, ...after.rounds];
  const servers = joinedById(before.servers, after.servers);
  const roundsOf = (id: string) =>
    rounds.filter(({ runs }) => runs.some(({ server }) => server === id)).length;
  return {
    ...after,
    ...(before.postgres && { postgres: before.postgres }),
    ...(after.postgres && { postgres: after.postgres }),
    options: { ...after.options, rounds: Math.max(...servers.map(({ id }) => roundsOf(id))) },
    servers,
    scenarios: joinedById(before.scenarios, after.scenarios),
    rounds,
  };
}

function joinedById<T extends { readonly id: string }>(before: readonly T[], after: readonly T[]): T[] {
  return [...before, ...after.filter(({ id }) => !before.some((known) => known.id === id))];
}

/** Returns every error as a sentence. If there are any, no figure of the run is valid. */
export function errorsOf({ rounds }: Results): string[] {
  return rounds.flatMap(({ runs }, index) =>
    runs.flatMap(({ server, measurements }) =>
      measurements.flatMap(({ scenario, load, errors }) => {
        const counted = Object.entries(load.errors).map(([reason, count]) => `${count} × ${reason}`);
        const none = load.answers === 0 ? ["no answer was right"] : [];
        return [...errors, ...counted, ...none].map(
          (error) => `round ${index + 1}, ${server}, ${scenario}: ${error}`,
        );
      }),
    ),
  );
}

/**
 * Returns the results of one server in one scenario, by round; undefined for rounds in which it did not
 * take part.
 */
export function loadsOf({ rounds }: Results, server: string, scenario: string): (Load | undefined)[] {
  return rounds.map(({ runs }) => measurementIn(runs, server, scenario)?.load);
}

export function measurementIn(
  runs: readonly ServerRun[],
  server: string,
  scenario: string,
): Measurement | undefined {
  return runs
    .find((run) => run.server === server)
    ?.measurements.find((measurement) => measurement.scenario === scenario);
}

/** Returns whether the scenario was measured with background requests. */
export function hasBackground(results: Results, scenario: string): boolean {
  return results.servers.some(({ id }) =>
    loadsOf(results, id, scenario).some((load) => load !== undefined && load.background_per_second > 0),
  );
}

/** The ratios of all rounds, as minimum, median and maximum. */
export interface Spread {
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** Returns the ratio of two servers' rates in one scenario; undefined if one of them has no rate. */
export function ratioOf(
  results: Results,
  ours: string,
  theirs: string,
  scenario: string,
): Spread | undefined {
  const above = loadsOf(results, ours, scenario);
  const below = loadsOf(results, theirs, scenario);
  return spreadOf(above.map((load, round) => quotient(load?.per_second, below[round]?.per_second)));
}

/** Returns the ratio of a server's rates in two scenarios. */
export function ratioOfScenarios(
  results: Results,
  server: string,
  above: string,
  below: string,
): Spread | undefined {
  const loads = loadsOf(results, server, below);
  return spreadOf(
    loadsOf(results, server, above).map((load, round) =>
      quotient(load?.per_second, loads[round]?.per_second),
    ),
  );
}

/**
 * Returns the ratio of two servers' responses per second of processor time. Unlike rates, it is valid
 * even if the load generator is the bottleneck.
 */
export function efficiencyOf(
  results: Results,
  ours: string,
  theirs: string,
  scenario: string,
): Spread | undefined {
  const answersPerSecond = (load: Load | undefined) => {
    const seconds = load?.cpu_seconds.server;
    return typeof seconds === "number" && seconds > 0 ? (load?.answers ?? 0) / seconds : undefined;
  };
  const above = loadsOf(results, ours, scenario).map(answersPerSecond);
  const below = loadsOf(results, theirs, scenario).map(answersPerSecond);
  return spreadOf(above.map((rate, round) => quotient(rate, below[round])));
}

/** The cost of a response: its median latency, or the processor time of all processes of the server. */
const costs = {
  p50: (load: Load | undefined) => load?.p50_ms,
  processor: (load: Load | undefined) => {
    const seconds = Object.values(load?.cpu_seconds ?? {});
    if (load === undefined || seconds.length === 0 || load.answers === 0) return undefined;
    return seconds.reduce<number>((sum, each) => sum + (each ?? Number.NaN), 0) / load.answers;
  },
} as const;
export type Cost = keyof typeof costs;

/** Returns the ratio of two servers' costs of a response in one scenario. */
export function costRatioOf(
  results: Results,
  ours: string,
  theirs: string,
  scenario: string,
  cost: Cost,
): Spread | undefined {
  const above = loadsOf(results, ours, scenario).map(costs[cost]);
  const below = loadsOf(results, theirs, scenario).map(costs[cost]);
  return spreadOf(above.map((value, round) => quotient(value, below[round])));
}

/**
 * Returns the share of the scenario's limit that a server reaches; undefined without a limit or a
 * measurement.
 */
export function shareOf(results: Results, server: string, scenario: string): Spread | undefined {
  const bound = results.scenarios.find(({ id }) => id === scenario)?.bound;
  if (bound === undefined) return undefined;
  if (bound.limit === "constant") return ratioOf(results, server, constantServer, scenario);
  const { limit, each } = bound;
  return spreadOf(
    results.rounds.map(({ runs, limits }) =>
      quotient(each * (measurementIn(runs, server, scenario)?.load.per_second ?? Number.NaN), limits[limit]),
    ),
  );
}

function quotient(above: number | undefined, below: number | undefined): number {
  return above === undefined || below === undefined ? Number.NaN : above / below;
}

/** Returns minimum, median and maximum over the rounds that have a value; undefined if none has. */
export function spreadOf(values: readonly number[]): Spread | undefined {
  const known = values.filter((value) => !Number.isNaN(value));
  if (known.length === 0) return undefined;
  return { low: Math.min(...known), median: median(known), high: Math.max(...known) };
}
