/** Formats the results as Markdown. Ratios come first, because only they apply to other machines. */
import { type Algorithm, algorithms } from "./algorithms.ts";
import { floorTable, idleTable } from "./floor_tables.ts";
import { markdownTable, none, spread, whole } from "./markdown.ts";
import {
  costRatioOf,
  errorsOf,
  floorServer,
  hasBackground,
  type Load,
  loadsOf,
  measurementIn,
  type Results,
  type Round,
  ratioOf,
  shareOf,
} from "./results.ts";
import { median } from "./statistics.ts";
import { isMet, loadedBytes, type Target, targetsOf } from "./targets.ts";

type Part = (results: Results) => readonly string[];

/** The parts for docs/performance.md: machine, throughput and memory. */
const shownParts: readonly Part[] = [header, rateTable, processTable, errorLines];

const allParts: readonly Part[] = [
  header,
  floorTable,
  idleTable,
  targetTable,
  ratioTable,
  processorTable,
  rateTable,
  processTable,
  generatorLines,
  errorLines,
];

export const resultTables = (results: Results): string => tablesOf(results, allParts);
export const documentTables = (results: Results): string => tablesOf(results, shownParts);

function tablesOf(results: Results, parts: readonly Part[]): string {
  return parts
    .map((part) => part(results).join("\n"))
    .filter((part) => part !== "")
    .join("\n\n");
}

function header({ machine, postgres, options, servers, rounds }: Results): string[] {
  const versions = new Set(
    servers.flatMap(({ id, name, version }) =>
      id === floorServer ? [] : [`${name.split(",")[0]} ${version}`],
    ),
  );
  const memory = `${Math.round(machine.memory_bytes / 2 ** 30)} GiB`;
  const middleOf = (figure: (round: Round) => number | undefined) =>
    median(rounds.map(figure).filter((value) => value !== undefined));
  const limits = [
    ...algorithms.map((algorithm) => ({
      rate: middleOf((round) => round.limits[algorithm]),
      what: signatureNames[algorithm],
      beside: `; ${whole(middleOf((round) => round.verified[algorithm]))} verifications`,
    })),
    {
      rate: middleOf((round) => round.limits.argon2id),
      what: "Argon2id verifications (m=19456, t=2, p=1)",
      beside: "",
    },
  ].filter(({ rate }) => !Number.isNaN(rate));
  const settings = Object.entries(postgres?.settings ?? {}).map((setting) => setting.join("="));
  return [
    `- ${[...versions].join(", ")}.`,
    `- ${machine.cores} × ${machine.cpu}, ${memory}, ${machine.system}, Node ${machine.node}.`,
    ...(postgres === undefined
      ? []
      : [`- PostgreSQL ${postgres.version} on the same cores, ${settings.join(", ")}.`]),
    `- Medians of ${options.rounds} rounds of ${options.measured_seconds} s after ${options.warm_up_seconds} s of warm-up, ` +
      `${options.connections} connections; ${whole(options.tokens)} different tokens to introspect` +
      (options.rows === 0
        ? "."
        : ` out of ${whole(options.rows)} and more; oidc-provider in memory holds no others.`),
    ...limits.map(
      ({ rate, what, beside }) => `- Limit: ${whole(rate)} ${what}${beside} a second on all cores.`,
    ),
    ...foreignLine(rounds),
    ...(machine.folder_is_in_memory
      ? [
          "- **The databases were in memory (tmpfs): nothing here was durable. Choose a folder on a disk with --folder.**",
        ]
      : []),
  ];
}

/**
 * The share of the processor time that other processes may take. If they take more, their load changes the
 * ratios by more than the ratios differ between rounds.
 */
const tolerableShare = 0.1;

/** Returns a line about the load of other processes, which share the cores. */
function foreignLine(rounds: readonly Round[]): string[] {
  const loads = rounds.flatMap(({ runs }) => runs.flatMap((run) => run.measurements.map(({ load }) => load)));
  const shares = loads.map((load) => load.foreign_cpu_share).filter((share) => share !== null);
  if (shares.length === 0) return [];
  const percent = (share: number) => `${Math.round(100 * share)} %`;
  const most = Math.max(...shares);
  return [
    `- Other processes took ${percent(median(shares))} of the cores during a measurement (lowest ` +
      `${percent(Math.min(...shares))}, highest ${percent(most)}).`,
    ...(most > tolerableShare
      ? ["- **Other programs used the machine too, so rates are too low and ratios are uncertain.**"]
      : []),
  ];
}

function targetTable(results: Results): string[] {
  const rows = targetsOf(results)
    .filter(({ measured }) => measured !== undefined)
    .map((target) => [
      target.line,
      `${target.bound} ${withUnit(target.value, target)}`,
      withUnit(target.measured ?? Number.NaN, target),
      isMet(target) ? "met" : "**not met**",
    ]);
  return rows.length === 0 ? [] : markdownTable(["Must show", "target", "measured", ""], rows);
}

function withUnit(value: number, { unit }: Target): string {
  const number = unit === "MB" || (unit === "ms" && value >= 100) ? whole(value) : value.toFixed(2);
  return unit === "" ? number : `${number} ${unit}`;
}

const pairs: readonly { readonly ours: string; readonly theirs: string; readonly title: string }[] = [
  { ours: "postern-sqlite", theirs: "oidc-memory", title: "SQLite : oidc-provider in memory" },
  { ours: "postern-postgres", theirs: "oidc-postgres", title: "PostgreSQL : oidc-provider over PostgreSQL" },
  { ours: "postern-sqlite-2", theirs: "postern-sqlite", title: "SQLite, 2 workers : 1" },
  { ours: "postern-postgres-2", theirs: "postern-postgres", title: "PostgreSQL, 2 workers : 1" },
];
const limited = [
  { server: "postern-sqlite", title: "SQLite : limit" },
  { server: "postern-postgres", title: "PostgreSQL : limit" },
];
const limitNames = {
  RS256: "RS256",
  ES256: "ES256",
  EdDSA: "EdDSA",
  argon2id: "Argon2id",
  constant: "Fastify, constant",
};
const signatureNames: Readonly<Record<Algorithm, string>> = {
  RS256: "RS256 signatures (2048 bits)",
  ES256: "ES256 signatures",
  EdDSA: "EdDSA signatures (Ed25519)",
};

function ratioTable(results: Results): string[] {
  const ran = (id: string) => results.rounds.some(({ runs }) => runs.some(({ server }) => server === id));
  const shownPairs = pairs.filter(({ ours, theirs }) => ran(ours) && ran(theirs));
  const shownLimits = limited.filter(({ server }) =>
    results.scenarios.some(({ id }) => shareOf(results, server, id) !== undefined),
  );
  if (shownPairs.length + shownLimits.length === 0) return [];
  const columns = [
    "Scenario",
    ...shownPairs.map(({ title }) => title),
    ...shownLimits.map(({ title }) => title),
  ];
  const rows = results.scenarios.map(({ id, name, bound }) => [
    bound === undefined
      ? name
      : `${name} (limit: ${bound.each === 1 ? "" : `${bound.each} × `}${limitNames[bound.limit]})`,
    ...shownPairs.map(({ ours, theirs }) => spread(ratioOf(results, ours, theirs, id))),
    ...shownLimits.map(({ server }) => spread(shareOf(results, server, id))),
  ]);
  const remarks = results.scenarios.flatMap(({ name, remark }) =>
    remark === undefined ? [] : [`- ${name}: ${remark}.`],
  );
  return [
    ...markdownTable(columns, rows),
    "",
    "The ratio of each round, then the median of them (lowest to highest).",
    "",
    ...remarks,
  ];
}

/**
 * With other load on the machine, rates are arbitrary, while the processor time per response hardly
 * changes.
 */
function processorTable(results: Results): string[] {
  const peers = pairs
    .filter(({ theirs }) => theirs.startsWith("oidc-"))
    .filter(({ ours, theirs }) =>
      [ours, theirs].every((id) => results.servers.some((server) => server.id === id)),
    );
  const rows = results.scenarios.flatMap(({ id, name }) => {
    // With background load, the counted requests take only a small part of the processor time.
    if (hasBackground(results, id)) return [];
    const cells = peers.map(({ ours, theirs }) =>
      spread(costRatioOf(results, theirs, ours, id, "processor")),
    );
    return cells.every((cell) => cell === none) ? [] : [[name, ...cells]];
  });
  if (rows.length === 0) return [];
  return [
    "Responses of Postern per processor time of one response of the other server, including databases:",
    "",
    ...markdownTable(["Scenario", ...peers.map(({ title }) => title)], rows),
  ];
}

function rateTable(results: Results): string[] {
  const columns = [
    "Scenario",
    "Server",
    "a second",
    "p99 ms",
    "CPU ms each, server",
    "CPU ms each, PostgreSQL",
    "wrong answers",
  ];
  const rows = results.scenarios.flatMap(({ id: scenario, name }) =>
    results.servers.flatMap((server) => {
      const loads = loadsOf(results, server.id, scenario).filter((load) => load !== undefined);
      if (loads.length === 0) return [];
      const middle = (figure: (load: Load) => number) => median(loads.map(figure));
      const failures = loads.reduce((sum, load) => sum + load.failures, 0);
      const background = middle((load) => load.background_per_second);
      return [
        [
          name,
          server.name,
          whole(middle((load) => load.per_second)) +
            (background > 0 ? ` beside ${whole(background)} tokens` : ""),
          middle((load) => load.p99_ms).toFixed(2),
          // With background load, the counted requests take only a small part of the processor time.
          ...[
            (load: Load) => milliseconds(load, load.cpu_seconds.server),
            (load: Load) => milliseconds(load, load.cpu_seconds.PostgreSQL),
          ].map((figure) => (background > 0 ? "–" : cpu(middle(figure)))),
          String(failures),
        ],
      ];
    }),
  );
  // The column of failures is shown only if there were any.
  const end = rows.every((row) => row.at(-1) === "0") ? -1 : columns.length;
  return markdownTable(
    columns.slice(0, end),
    rows.map((row) => row.slice(0, end)),
  );
}

function processTable(results: Results): string[] {
  const { servers, rounds } = results;
  const rows = servers.flatMap(({ id, name }) => {
    const runs = rounds.flatMap((round) => round.runs.filter((run) => run.server === id));
    if (runs.length === 0) return [];
    return [
      [
        name,
        whole(1000 * median(runs.map((run) => run.cold_start_seconds))),
        megabytes(runs.map(({ idle }) => idle.server?.resident_bytes)),
        megabytes(runs.map(loadedBytes)),
        megabytes(runs.map(({ measurements }) => measurements.at(-1)?.memory.PostgreSQL?.resident_bytes)),
      ],
    ];
  });
  return markdownTable(
    ["Server", "cold start ms", "memory idle MB", "memory loaded MB", "PostgreSQL's memory MB"],
    rows,
  );
}

function generatorLines({ rounds, scenarios, servers }: Results): string[] {
  const loads = rounds.map(({ generator }) => generator);
  const speed = median(loads.map((load) => load.per_second));
  const own = median(loads.map((load) => (1000 * load.own_cpu_seconds) / load.answers));
  const fastest = scenarios.flatMap(({ id, name }) => {
    const rates = servers.flatMap((server) =>
      rounds.flatMap(({ runs }) => measurementIn(runs, server.id, id)?.load.per_second ?? []),
    );
    return rates.length === 0 ? [] : [`${name} ${(speed / Math.max(...rates)).toFixed(1)} ×`];
  });
  return [
    `Load generator: ${whole(speed)} a second against a plain node:http server with a constant response on the same ` +
      `cores. As a multiple of the fastest server in each scenario: ${fastest.join(", ")}. Each response takes ` +
      `${own.toFixed(3)} ms of a core, so the generator alone on one core ` +
      `would carry ${whole(1000 / own)} a second.`,
  ];
}

function errorLines(results: Results): string[] {
  const errors = errorsOf(results);
  return errors.length === 0
    ? []
    : ["**Answers were wrong; the figures do not count:**", "", ...errors.map((error) => `- ${error}`)];
}

function milliseconds({ answers }: Load, seconds: number | null | undefined): number {
  return typeof seconds === "number" ? (1000 * seconds) / answers : Number.NaN;
}

function cpu(value: number): string {
  return Number.isNaN(value) ? "–" : value.toFixed(3);
}

function megabytes(bytes: readonly (number | undefined)[]): string {
  const known = bytes.filter((each) => each !== undefined && !Number.isNaN(each)) as number[];
  return known.length === 0 ? "–" : whole(median(known) / 1e6);
}
