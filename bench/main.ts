/** `npm run bench`: this server beside its peers, as a table of ratios. docs/performance.md says what is measured. */
import { rmSync } from "node:fs";
import { mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { faultsOf } from "./results.ts";
import { runBenchmark } from "./run.ts";
import { scenarios } from "./scenarios.ts";
import { oidcProvider } from "./servers/oidc_provider.ts";
import { postern } from "./servers/postern.ts";
import { resultTables } from "./tables.ts";

const usage = `usage: npm run bench -- [options]
  --quick           a first impression in about a minute and a half: 3 rounds of 3 s
  --json            everything that was measured, as one JSON value
  --only A,B        these scenarios only
  --contenders A,B  these servers only
  --rounds N        how often each server is started and measured [5]
  --seconds N       how long each measurement takes [10]
  --connections N   requests under way at once [16]
  --tokens N        different tokens that are introspected [20000; 2000 with --quick]
  --folder PATH     where the databases are put, on a disk [node_modules/.cache]
`;

const defaults = {
  thorough: { rounds: 5, warm_up_seconds: 3, measured_seconds: 10, connections: 16, tokens: 20_000 },
  quick: { rounds: 3, warm_up_seconds: 1.5, measured_seconds: 3, connections: 16, tokens: 2000 },
};

/** Answers the exit code: 0, 1 when an answer was wrong, 2 for options that do not exist. Throws when a server does not start. */
async function main(args: string[]): Promise<number> {
  let settings: ReturnType<typeof readOptions>;
  try {
    settings = readOptions(args);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    return 2;
  }
  const { options, json, help } = settings;
  if (help) {
    process.stdout.write(usage);
    return 0;
  }

  await mkdir(settings.folder, { recursive: true });
  const folder = await mkdtemp(join(settings.folder, "postern-bench-"));
  // Also when a signal ends the run; so are the processes it started.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

  const results = await runBenchmark({
    contenders: chosen("contenders", [await postern(), await oidcProvider()], settings.contenders),
    scenarios: chosen("only", scenarios, settings.only),
    options,
    folder,
    makeFolder: async (name) => {
      const made = join(folder, name);
      await mkdir(made, { mode: 0o700 });
      return made;
    },
    tell: (sentence) => process.stderr.write(`${sentence}\n`),
  });
  process.stdout.write(json ? `${JSON.stringify(results, null, 2)}\n` : `\n${resultTables(results)}\n`);
  return faultsOf(results).length === 0 ? 0 : 1;
}

function readOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
      only: { type: "string" },
      contenders: { type: "string" },
      rounds: { type: "string" },
      seconds: { type: "string" },
      connections: { type: "string" },
      tokens: { type: "string" },
      folder: { type: "string", default: join(import.meta.dirname, "..", "node_modules", ".cache") },
    },
  });
  const base = values.quick ? defaults.quick : defaults.thorough;
  return {
    json: values.json,
    help: values.help,
    only: values.only,
    contenders: values.contenders,
    folder: values.folder,
    options: {
      ...base,
      rounds: positive("rounds", values.rounds) ?? base.rounds,
      measured_seconds: positive("seconds", values.seconds) ?? base.measured_seconds,
      connections: positive("connections", values.connections) ?? base.connections,
      tokens: positive("tokens", values.tokens) ?? base.tokens,
    },
  };
}

/** Those of the list that are named, in the list's order; all where nothing is named. Throws for a name that is none. */
function chosen<T extends { readonly name: string }>(
  option: string,
  all: readonly T[],
  names: string | undefined,
): readonly T[] {
  if (names === undefined) return all;
  const wanted = names.split(",").map((name) => name.trim());
  const unknown = wanted.find((name) => !all.some((each) => each.name === name));
  if (unknown !== undefined)
    throw new Error(`--${option}: no ${unknown}; there are ${all.map(({ name }) => name).join(", ")}`);
  return all.filter(({ name }) => wanted.includes(name));
}

function positive(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new Error(`--${name}: expected a whole number from 1 to 9999999`);
  return Number(text);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`the benchmark could not be run: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
