/**
 * `npm run bench:before -- DIRECTORY`: compares this checkout with an earlier one. Both are measured
 * alternately, for a short time each, so other load on the machine affects both equally. Each round restarts
 * both, because the results of two processes of the same program differ by up to a tenth.
 */
import { rmSync } from "node:fs";
import { mkdir, mkdtemp } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { RunningServer } from "./contender.ts";
import { chosen, idsOf, numberOf } from "./options.ts";
import type { BenchOptions, Measurement } from "./results.ts";
import { measure, workspaceOf } from "./run.ts";
import type { Scenario } from "./scenario.ts";
import {
  clientCredentials,
  clientCredentialsAlone,
  introspection,
  revocation,
} from "./scenarios/client_scenarios.ts";
import { discovery, jwks } from "./scenarios/document_scenarios.ts";
import { codeFlow, refresh, signIn } from "./scenarios/user_scenarios.ts";
import { postern } from "./servers/postern.ts";
import { median } from "./statistics.ts";

const usage = `usage: npm run bench:before -- DIRECTORY [options]
  DIRECTORY       a checkout of the commit to compare with, after npm ci
  --now DIRECTORY a later checkout to use instead of this one
  --only A,B      only these scenarios [client-credentials,introspection,refresh,code-flow,revocation]; also available:
                  client-credentials-one, discovery, jwks and sign-in
  --rounds N      starts of both checkouts [3]
  --pairs N       measurements of each scenario per round, alternating between the checkouts [4]
`;

const usualScenarios = [clientCredentials, introspection, refresh, codeFlow, revocation];
/** Scenarios that an earlier version supports too; they sign with RS256. */
const comparable = [...usualScenarios, clientCredentialsAlone, discovery, jwks, signIn];

const times = { warm_up_seconds: 0.6, measured_seconds: 1.2 };

export interface Comparison {
  /** Paths of the programs of both checkouts. */
  readonly before: string;
  readonly now: string;
  readonly scenarios: readonly Scenario[];
  readonly options: BenchOptions;
  readonly pairs: number;
  readonly folder: string;
  readonly progress: (sentence: string) => void;
}

/**
 * Medians over the pairs of one round. The ratio of a pair is the value of this checkout divided by that of
 * the earlier one.
 */
export interface Ratios {
  readonly rate: number;
  /** Processor time per response: in total, and of the event loop. */
  readonly processor: number;
  readonly event_loop: number;
}

/** Returns the ratios of each round by scenario name. Throws if a response was wrong. */
export async function compareWithBefore(comparison: Comparison): Promise<Map<string, Ratios[]>> {
  const { scenarios, options, folder, progress } = comparison;
  const found = new Map<string, Ratios[]>(scenarios.map(({ name }) => [name, []]));
  const startBefore = await prepareIn(join(folder, "before"), comparison, comparison.before);
  const startNow = await prepareIn(join(folder, "now"), comparison, comparison.now);
  for (let round = 1; round <= options.rounds; round++) {
    progress(`round ${round} of ${options.rounds}`);
    await using before = await startBefore();
    await using now = await startNow();
    for (const scenario of scenarios) {
      const ratios = await measurePairs(scenario, { before, now }, comparison);
      found.get(scenario.name)?.push(ratios);
      progress(`  ${scenario.name}: ${ratios.rate.toFixed(2)} of the rate`);
    }
  }
  return found;
}

/** Creates the database of one checkout, and returns a function that starts its server. */
async function prepareIn(
  folder: string,
  { options, progress }: Comparison,
  program: string,
): Promise<() => Promise<RunningServer>> {
  await mkdir(folder, { mode: 0o700 });
  const makeFolder = async (name: string) => {
    const made = join(folder, name);
    await mkdir(made, { mode: 0o700 });
    return made;
  };
  const workspace = workspaceOf({
    contenders: [],
    scenarios: [],
    options,
    program,
    folder,
    makeFolder,
    progress,
  });
  const { prepare } = await postern("sqlite", 1);
  // The earlier checkout may not have API records, which select the other algorithms.
  const start = await prepare({ ...workspace, algorithms: [] });
  return () => start({});
}

async function measurePairs(
  scenario: Scenario,
  servers: { readonly before: RunningServer; readonly now: RunningServer },
  { options, pairs }: Comparison,
): Promise<Ratios> {
  const ratios: Ratios[] = [];
  const measureOn = async (which: keyof typeof servers) =>
    rightLoad(scenario, await measure(scenario, servers[which], options));
  // The first pair does not count, because it gives V8 time to compile the code.
  for (let pair = 0; pair <= pairs; pair++) {
    const isForward = pair % 2 === 0;
    const first = await measureOn(isForward ? "before" : "now");
    const second = await measureOn(isForward ? "now" : "before");
    if (pair > 0) ratios.push(isForward ? ratioOf(first, second) : ratioOf(second, first));
  }
  const middle = (figure: keyof Ratios) => median(ratios.map((each) => each[figure]));
  return { rate: middle("rate"), processor: middle("processor"), event_loop: middle("event_loop") };
}

/** Returns the measured load. Throws if the server does not support the scenario or a response was wrong. */
export function rightLoad({ name }: Scenario, measurement: Measurement | undefined): Measurement["load"] {
  if (measurement === undefined) throw new Error(`${name}: the server does not support this scenario`);
  const { load, errors } = measurement;
  const wrong = [...errors, ...Object.keys(load.errors)];
  if (wrong.length > 0) throw new Error(`${name}: ${wrong.join("; ")}`);
  return load;
}

function ratioOf(before: Measurement["load"], now: Measurement["load"]): Ratios {
  const each = (seconds: Readonly<Record<string, number | null>> | undefined, answers: number) =>
    (seconds?.server ?? Number.NaN) / answers;
  return {
    rate: now.per_second / before.per_second,
    processor: each(now.cpu_seconds, now.answers) / each(before.cpu_seconds, before.answers),
    event_loop: each(now.loop_seconds, now.answers) / each(before.loop_seconds, before.answers),
  };
}

/** Returns a Markdown table with the median, minimum and maximum over the rounds. */
export function comparisonTable(found: ReadonlyMap<string, readonly Ratios[]>): string {
  const cell = (rounds: readonly Ratios[], figure: keyof Ratios) => {
    const values = rounds.map((round) => round[figure]);
    return `${median(values).toFixed(2)} (${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)})`;
  };
  const rows = [...found].map(
    ([name, rounds]) =>
      `| ${name} | ${cell(rounds, "rate")} | ${cell(rounds, "processor")} | ${cell(rounds, "event_loop")} |`,
  );
  return ["| now : before | rate | processor time | the event loop's |", "|---|---|---|---|", ...rows].join(
    "\n",
  );
}

interface Requested {
  readonly before: string;
  readonly now: string;
  readonly scenarios: readonly Scenario[];
  readonly rounds: number;
  readonly pairs: number;
}

/** Returns undefined for `--help`. Throws an error whose message describes the first invalid option. */
export function readComparison(args: readonly string[]): Requested | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      now: { type: "string", default: join(import.meta.dirname, "..", "..") },
      only: { type: "string" },
      rounds: { type: "string", default: "3" },
      pairs: { type: "string", default: "4" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const [directory, ...more] = positionals;
  if (directory === undefined || more.length > 0) throw new Error("name one DIRECTORY");
  const programOf = (checkout: string) => join(resolve(checkout), "bin", "postern.js");
  return {
    before: programOf(directory),
    now: programOf(values.now),
    scenarios: values.only === undefined ? usualScenarios : chosen("only", comparable, idsOf(values.only)),
    rounds: numberOf("rounds", values.rounds, 1) ?? 0,
    pairs: numberOf("pairs", values.pairs, 1) ?? 0,
  };
}

/** Returns the exit code: 2 for unknown options. */
async function main(args: readonly string[]): Promise<number> {
  let requested: Requested | undefined;
  try {
    requested = readComparison(args);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    return 2;
  }
  if (requested === undefined) {
    process.stdout.write(usage);
    return 0;
  }
  const cache = join(import.meta.dirname, "..", "..", "node_modules", ".cache");
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "postern-before-"));
  // Without handlers, these signals would end this process without its `exit` listeners, which remove the
  // folder and kill the child processes.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  const sizes = { rows: 0, users: 0, tokens: 2000, revocations: 4000, connections: 16 };
  const found = await compareWithBefore({
    ...requested,
    options: { ...times, ...sizes, rounds: requested.rounds },
    folder,
    progress: (sentence) => process.stderr.write(`${sentence}\n`),
  });
  process.stdout.write(`${comparisonTable(found)}\n`);
  return 0;
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
