/** The results as Markdown: ratios first, for only they carry over to another machine. */
import {
  faultsOf,
  type Load,
  type Measurement,
  type Results,
  type Round,
  type ServerRun,
} from "./results.ts";
import { median } from "./statistics.ts";

export function resultTables(results: Results): string {
  return [
    ...header(results),
    "",
    ...ratioTable(results),
    "",
    ...rateTable(results),
    "",
    ...processTable(results),
    "",
    ...generatorLines(results),
    ...faultLines(results),
  ].join("\n");
}

function header({ machine, options, servers, rounds }: Results): string[] {
  const names = servers.map(({ name, version }) => `${name} ${version}`).join(", ");
  const memory = `${Math.round(machine.memory_bytes / 2 ** 30)} GiB`;
  const limit = median(rounds.map(({ rsa_limit }) => rsa_limit));
  return [
    `${names}. ${machine.cores} × ${machine.cpu}, ${memory}, ${machine.system}, Node ${machine.node}.`,
    `Medians of ${options.rounds} rounds of ${options.measured_seconds} s after ${options.warm_up_seconds} s of warm-up, ` +
      `${options.connections} connections, ${options.tokens} tokens to introspect.`,
    `RSA limit: ${whole(limit)} RS256 signatures a second (2048 bits, all cores).`,
    ...foreignLine(rounds),
    ...(machine.folder_is_in_memory
      ? [
          "**The databases were in memory (tmpfs): nothing here was durable. Choose a folder on a disk with --folder.**",
        ]
      : []),
  ];
}

/** Above it, what else runs changes the ratios more than a round differs from the next. */
const tolerableShare = 0.1;

/** What else ran: the cores are shared with it. */
function foreignLine(rounds: readonly Round[]): string[] {
  const loads = rounds.flatMap(({ runs }) => runs.flatMap((run) => run.measurements.map(({ load }) => load)));
  const shares = loads.map((load) => load.foreign_cpu_share).filter((share) => share !== null);
  if (shares.length === 0) return [];
  const percent = (share: number) => `${Math.round(100 * share)} %`;
  const most = Math.max(...shares);
  return [
    `Other processes took ${percent(median(shares))} of the cores during a measurement (lowest ` +
      `${percent(Math.min(...shares))}, highest ${percent(most)}).`,
    ...(most > tolerableShare
      ? ["**The machine was not the benchmark's own: rates are too low and ratios uncertain.**"]
      : []),
  ];
}

function ratioTable(results: Results): string[] {
  const [ours, ...peers] = results.servers.map(({ name }) => name);
  if (ours === undefined) return [];
  const columns = [
    "Scenario",
    ...peers.map((peer) => `${ours} : ${peer}`),
    ...[ours, ...peers].map((name) => `${name} : RSA limit`),
  ];
  const rows = results.scenarios.map(({ name: scenario, signatures }) => [
    scenario,
    ...peers.map((peer) =>
      spread(results.rounds.map(({ runs }) => rate(runs, ours, scenario) / rate(runs, peer, scenario))),
    ),
    ...[ours, ...peers].map((name) =>
      signatures === 0
        ? "–"
        : spread(
            results.rounds.map(
              ({ runs, rsa_limit }) => (signatures * rate(runs, name, scenario)) / rsa_limit,
            ),
          ),
    ),
  ]);
  const remarks = results.scenarios.flatMap(({ name, remark }) =>
    remark === undefined ? [] : [`${name}: ${remark}.`],
  );
  return [
    ...table(columns, rows),
    "",
    "The ratio of each round, then the median of them (lowest to highest).",
    ...remarks,
  ];
}

function rateTable(results: Results): string[] {
  const columns = [
    "Scenario",
    "Server",
    "a second",
    "p50 ms",
    "p99 ms",
    "CPU ms per request",
    "wrong answers",
  ];
  const rows = results.scenarios.flatMap(({ name: scenario }) =>
    results.servers.map(({ name: server }) => {
      const loads = results.rounds.map(({ runs }) => measurement(runs, server, scenario).load);
      const middle = (figure: (load: Load) => number) => median(loads.map(figure));
      const failures = loads.reduce((sum, load) => sum + load.failures, 0);
      return [
        scenario,
        server,
        whole(middle((load) => load.per_second)),
        middle((load) => load.p50_ms).toFixed(2),
        middle((load) => load.p99_ms).toFixed(2),
        middle((load) => milliseconds(load.cpu_seconds, load)).toFixed(3),
        String(failures),
      ];
    }),
  );
  return table(columns, rows);
}

function processTable({ servers, rounds }: Results): string[] {
  const rows = servers.map(({ name }) => {
    const runs = rounds.map((round) => runOf(round.runs, name));
    return [
      name,
      whole(1000 * median(runs.map((run) => run.cold_start_seconds))),
      megabytes(runs.map((run) => run.idle_bytes)),
      megabytes(runs.map((run) => run.loaded_bytes)),
    ];
  });
  return table(["Server", "cold start ms", "memory idle MB", "memory loaded MB"], rows);
}

function generatorLines({ rounds, scenarios }: Results): string[] {
  const constants = rounds.map(({ constant }) => constant);
  const speed = median(constants.map((load) => load.per_second));
  const own = median(constants.map((load) => milliseconds(load.own_cpu_seconds, load)));
  const fastest = scenarios.map(({ name }) => {
    const rates = rounds.flatMap(({ runs }) => runs.map((run) => rate([run], run.server, name)));
    return `${(speed / Math.max(...rates)).toFixed(1)} × the fastest server at ${name}`;
  });
  return [
    `Load generator: ${whole(speed)} a second against bare node:http with a constant answer on the same cores ` +
      `(${fastest.join(", ")}); it takes ${own.toFixed(3)} ms of a core for each, so one core of its own would carry ` +
      `${whole(1000 / own)} a second.`,
  ];
}

function faultLines(results: Results): string[] {
  const faults = faultsOf(results);
  return faults.length === 0
    ? []
    : ["", "**Answers were wrong; the figures do not count:**", ...faults.map((fault) => `- ${fault}`)];
}

function runOf(runs: readonly ServerRun[], server: string): ServerRun {
  const run = runs.find((each) => each.server === server);
  if (run === undefined) throw new Error(`no run of ${server}`);
  return run;
}

function measurement(runs: readonly ServerRun[], server: string, scenario: string): Measurement {
  const found = runOf(runs, server).measurements.find((each) => each.scenario === scenario);
  if (found === undefined) throw new Error(`no measurement of ${scenario} on ${server}`);
  return found;
}

function rate(runs: readonly ServerRun[], server: string, scenario: string): number {
  return measurement(runs, server, scenario).load.per_second;
}

function milliseconds(cpu_seconds: number | null, { answers }: Load): number {
  return cpu_seconds === null ? Number.NaN : (1000 * cpu_seconds) / answers;
}

function megabytes(bytes: readonly (number | null)[]): string {
  const known = bytes.filter((each) => each !== null);
  return known.length === 0 ? "–" : whole(median(known) / 1e6);
}

function spread(values: readonly number[]): string {
  const [low, middle, high] = [Math.min(...values), median(values), Math.max(...values)];
  return `${middle.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(columns), line(columns.map(() => "---")), ...rows.map(line)];
}
