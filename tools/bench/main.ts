/**
 * `npm run bench`: compares this server with similar servers, as tables of ratios. docs/performance.md has
 * the main figures.
 */
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeInto } from "./document_tables.ts";
import { describeMachine } from "./machine.ts";
import { type BenchSettings, chosen, readOptions, usage } from "./options.ts";
import { profileAll } from "./profile.ts";
import { errorsOf, floorServer, joined, type Results } from "./results.ts";
import { type Run, runBenchmark } from "./run.ts";
import { allScenarios, quickScenarios } from "./scenarios/all_scenarios.ts";
import { allContenders, quickContenders } from "./servers/all_contenders.ts";
import { soak, soakLength } from "./soak.ts";
import { judgeSoak, soakTables } from "./soak_tables.ts";
import { documentTables, resultTables } from "./tables.ts";

const resultsFolder = join(import.meta.dirname, "results");

/**
 * Returns the exit code: 0, 1 if a response was wrong, 2 for unknown options. Throws if a server does not
 * start.
 */
async function main(args: string[]): Promise<number> {
  let settings: BenchSettings;
  let run: Pick<Run, "contenders" | "scenarios">;
  try {
    settings = readOptions(args);
    run = await chooseRun(settings);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    return 2;
  }
  if (settings.help) {
    process.stdout.write(usage);
    return 0;
  }

  await mkdir(settings.folder, { recursive: true });
  const folder = await mkdtemp(join(settings.folder, "postern-bench-"));
  // Without handlers, these signals would end this process without its `exit` listeners, which remove the
  // folder and kill the child processes.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  await mkdir(resultsFolder, { recursive: true });

  const whole: Run = {
    ...run,
    options: settings.options,
    program: settings.program,
    folder,
    makeFolder: async (name) => {
      const made = join(folder, name);
      await mkdir(made, { mode: 0o700 });
      return made;
    },
    progress: (sentence) => process.stderr.write(`${sentence}\n`),
  };
  if (settings.profile) {
    process.stdout.write(`${await profileAll(whole, resultsFolder)}\n`);
    return 0;
  }
  if (settings.soak !== undefined) return soakOn(whole, settings, settings.soak);
  const latest = join(resultsFolder, "latest.jsonl");
  const before = settings.goes_on ? (JSON.parse(await readFile(latest, "utf8")) as Results) : undefined;
  const found = await runBenchmark(whole);
  const results = before === undefined ? found : joined(before, found);
  await writeFile(latest, `${JSON.stringify(results)}\n`);
  const tables = resultTables(results);
  process.stdout.write(settings.json ? `${JSON.stringify(results, null, 2)}\n` : `\n${tables}\n`);
  if (settings.write) await writeInto("performance.md", "npm run bench", documentTables(results));
  return errorsOf(results).length === 0 ? 0 : 1;
}

/**
 * Returns the exit code: 0, or 1 if a value such as memory or the rate got worse, or if a response was wrong.
 */
async function soakOn(run: Run, settings: BenchSettings, minutes: number): Promise<number> {
  const [contender] = run.contenders;
  if (contender === undefined) throw new Error("--contenders names no server");
  const length = soakLength(minutes);
  const found = await soak(run, contender, length);
  await writeFile(join(resultsFolder, "soak.jsonl"), `${JSON.stringify(found)}\n`);
  const machine = await describeMachine([run.folder]);
  const tables = [
    `${machine.cores} × ${machine.cpu}, ${machine.system}, Node ${machine.node}.`,
    soakTables(found, length, `${contender.name} (${contender.version})`),
  ].join("\n");
  process.stdout.write(settings.json ? `${JSON.stringify(found, null, 2)}\n` : `\n${tables}\n`);
  const isGood =
    judgeSoak(found, length).every(({ flat }) => flat) && found.every(({ errors }) => errors.length === 0);
  return isGood ? 0 : 1;
}

async function chooseRun({
  quick,
  only,
  contenders,
}: BenchSettings): Promise<Pick<Run, "contenders" | "scenarios">> {
  const all = await allContenders();
  const floor = all.filter(({ id }) => id === floorServer);
  const ofQuick = <T>(short: readonly T[], whole: readonly T[], ids: readonly string[] | undefined) =>
    quick && ids === undefined ? short : whole;
  const named = chosen("contenders", ofQuick(all.slice(0, quickContenders), all, contenders), contenders);
  return {
    // The floor always takes part, because the tables show ratios to it.
    contenders: [...new Set([...named, ...floor])],
    scenarios: chosen("only", ofQuick(quickScenarios, allScenarios, only), only),
  };
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`the benchmark could not be run: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
