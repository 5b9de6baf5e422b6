/** The targets for this server in a full run on two cores, and whether they are met. */
import { fewRecords } from "./contender.ts";
import {
  constantServer,
  costRatioOf,
  efficiencyOf,
  type Results,
  ratioOf,
  ratioOfScenarios,
  type ServerRun,
  shareOf,
} from "./results.ts";
import { median } from "./statistics.ts";

export interface Target {
  readonly line: string;
  readonly bound: "at least" | "at most" | "under";
  readonly value: number;
  readonly unit: "" | "×" | "MB" | "ms";
  /** Undefined if the run did not measure it. */
  readonly measured: number | undefined;
}

const sqlite = "postern-sqlite";
const postgres = "postern-postgres";
const peers: Readonly<Record<string, string>> = { [sqlite]: "oidc-memory", [postgres]: "oidc-postgres" };
const names: Readonly<Record<string, string>> = {
  [sqlite]: "SQLite",
  [postgres]: "PostgreSQL",
  "oidc-memory": "oidc-provider in memory",
  "oidc-postgres": "oidc-provider over PostgreSQL",
};

export function targetsOf(results: Results): Target[] {
  const name = (id: string) => results.scenarios.find((scenario) => scenario.id === id)?.name ?? id;

  const ofPeer = (scenario: string, server: string, value: number): Target => {
    const peer = peers[server] ?? "";
    return {
      line: `${name(scenario)}, ${names[server]}: relative to ${names[peer]}`,
      bound: "at least",
      value,
      unit: "×",
      measured: ratioOf(results, server, peer, scenario)?.median,
    };
  };
  const ofLimit = (scenario: string, limit: string, value: number): Target => ({
    line: `${name(scenario)}, SQLite: share of ${limit}`,
    bound: "at least",
    value,
    unit: "",
    measured: shareOf(results, sqlite, scenario)?.median,
  });
  const under = (
    line: string,
    value: number,
    unit: "" | "MB" | "ms",
    measured: number | undefined,
  ): Target => ({
    line,
    bound: "under",
    value,
    unit,
    measured,
  });
  const count = (records: number) => records.toLocaleString("en");
  const ofFew = (scenario: string, server: string): Target[] =>
    (["p50", "processor"] as const).map((cost) => ({
      line:
        `${name(scenario)}, ${names[server]}: ${count(results.options.rows)} records relative to ` +
        `${count(fewRecords)}, by ${cost === "p50" ? "p50" : "processor time"}`,
      bound: "at most",
      value: 3,
      unit: "×",
      measured: costRatioOf(results, server, `${server}-few`, scenario, cost)?.median,
    }));
  const ofOneWorker = (scenario: string): Target => ({
    line: `${name(scenario)}, SQLite: two workers relative to one`,
    bound: "at least",
    value: 1,
    unit: "×",
    measured: ratioOf(results, `${sqlite}-2`, sqlite, scenario)?.median,
  });
  const runs = runsOf(results, sqlite);

  return [
    ofPeer("client-credentials-es256", sqlite, 1.7),
    {
      line: `${name("client-credentials-es256")}, SQLite: relative to RS256`,
      bound: "at least",
      value: 1.9,
      unit: "×",
      measured: ratioOfScenarios(results, sqlite, "client-credentials-es256", "client-credentials")?.median,
    },
    ofLimit("client-credentials", "the RS256 limit", 0.66),
    ofPeer("client-credentials-one", sqlite, 1),
    ofPeer("refresh-es256", sqlite, 1.8),
    ofPeer("code-flow-es256", sqlite, 1.8),
    ofPeer("introspection", sqlite, 2),
    ofPeer("introspection", postgres, 2.8),
    ofPeer("revocation", sqlite, 1),
    ofPeer("revocation", postgres, 2),
    ofPeer("code-flow", postgres, 2.2),
    ofOneWorker("client-credentials"),
    ofOneWorker("client-credentials-es256"),
    ofPeer("client-credentials", sqlite, 1.4),
    ofPeer("client-credentials", postgres, 1.3),
    ofPeer("refresh", sqlite, 1.25),
    ofPeer("refresh", postgres, 1.8),
    ofPeer("code-flow", sqlite, 1.8),
    ...["discovery", "jwks"].flatMap((scenario) => {
      const byTime = efficiencyOf(results, sqlite, constantServer, scenario)?.median;
      const byRate = ofLimit(scenario, "the rate of Fastify with a constant", 0.8);
      return [byRate, { ...byRate, line: `${byRate.line}, by processor time`, measured: byTime }];
    }),
    ofLimit("sign-in", "the Argon2id limit", 0.9),
    ...["list-users", "list-tokens", "console-list-users"].flatMap((scenario) =>
      [sqlite, postgres].flatMap((server) => ofFew(scenario, server)),
    ),
    under("memory idle, SQLite", 115, "MB", megabytes(runs.map(({ idle }) => idle.server?.resident_bytes))),
    under("memory loaded, SQLite", 200, "MB", megabytes(runs.map(loadedBytes))),
    under("cold start, SQLite", 350, "ms", middle(runs.map((run) => 1000 * run.cold_start_seconds))),
    ...[sqlite, postgres].map((server) => {
      const worst = worstTail(results, server);
      const where = worst === undefined ? "" : ` (worst: ${name(worst.scenario)})`;
      return under(`p99 : p50 at any scenario, ${names[server]}${where}`, 4, "", worst?.ratio);
    }),
    ...[sqlite, postgres].map((server) =>
      under(
        `p99 of discovery under token load, ${names[server]}`,
        10,
        "ms",
        middle(measured(results, server, "discovery-under-load").map(({ load }) => load.p99_ms)),
      ),
    ),
  ];
}

/** Returns whether the target is met; undefined if it was not measured. */
export function isMet({ bound, value, measured }: Target): boolean | undefined {
  if (measured === undefined) return undefined;
  if (bound === "at least") return measured >= value;
  return bound === "at most" ? measured <= value : measured < value;
}

function runsOf({ rounds }: Results, server: string): ServerRun[] {
  return rounds.flatMap(({ runs }) => runs.filter((run) => run.server === server));
}

function measured(results: Results, server: string, scenario: string): ServerRun["measurements"] {
  return runsOf(results, server).flatMap(({ measurements }) =>
    measurements.filter((measurement) => measurement.scenario === scenario),
  );
}

/** Returns the maximum memory of the server's own processes at the end of a measurement. */
export function loadedBytes({ measurements }: ServerRun): number | undefined {
  const bytes = measurements.map(({ memory }) => memory.server?.resident_bytes ?? Number.NaN);
  return bytes.length === 0 ? undefined : Math.max(...bytes);
}

/**
 * Returns the scenario with the highest ratio of 99th percentile to median latency. Discovery under load is
 * excluded, because its latency depends on the other requests. It has a separate target.
 */
function worstTail(results: Results, server: string): { scenario: string; ratio: number } | undefined {
  return results.scenarios
    .filter(({ id }) => id !== "discovery-under-load")
    .flatMap(({ id }) => {
      const ratio = middle(measured(results, server, id).map(({ load }) => load.p99_ms / load.p50_ms));
      return ratio === undefined ? [] : [{ scenario: id, ratio }];
    })
    .toSorted((a, b) => b.ratio - a.ratio)[0];
}

function megabytes(bytes: readonly (number | undefined)[]): number | undefined {
  return middle(bytes.filter((each) => each !== undefined).map((each) => each / 1e6));
}

function middle(values: readonly number[]): number | undefined {
  const value = median(values);
  return Number.isNaN(value) ? undefined : value;
}
