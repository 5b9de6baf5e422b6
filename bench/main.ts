/**
 * `npm run bench`: this server beside its peers, as a table of ratios. docs/performance.md says what is
 * measured.
 */
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BenchSettings, chosen, readOptions, usage } from "./options.ts";
import { profileAll } from "./profile.ts";
import { faultsOf } from "./results.ts";
import { type Run, runBenchmark } from "./run.ts";
import { allScenarios, quickScenarios } from "./scenarios/all_scenarios.ts";
import { allContenders, quickContenders } from "./servers/all_contenders.ts";
import { resultTables } from "./tables.ts";

const resultsFolder = join(import.meta.dirname, "results");
const document = join(import.meta.dirname, "..", "docs", "performance.md");

/**
 * Answers the exit code: 0, 1 when an answer was wrong, 2 for options that do not exist. Throws when a server
 * does not start.
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
  // Also when a signal ends the run; so are the processes it started.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  await mkdir(resultsFolder, { recursive: true });

  const whole: Run = {
    ...run,
    options: settings.options,
    folder,
    makeFolder: async (name) => {
      const made = join(folder, name);
      await mkdir(made, { mode: 0o700 });
      return made;
    },
    tell: (sentence) => process.stderr.write(`${sentence}\n`),
  };
  if (settings.profile) {
    process.stdout.write(`${await profileAll(whole, resultsFolder)}\n`);
    return 0;
  }
  const results = await runBenchmark(whole);
  await writeFile(join(resultsFolder, "latest.jsonl"), `${JSON.stringify(results)}\n`);
  const tables = resultTables(results);
  process.stdout.write(settings.json ? `${JSON.stringify(results, null, 2)}\n` : `\n${tables}\n`);
  if (settings.write) await writeTables(tables);
  return faultsOf(results).length === 0 ? 0 : 1;
}

async function chooseRun({
  quick,
  only,
  contenders,
}: BenchSettings): Promise<Pick<Run, "contenders" | "scenarios">> {
  const all = await allContenders();
  const ofQuick = <T>(short: readonly T[], whole: readonly T[], ids: readonly string[] | undefined) =>
    quick && ids === undefined ? short : whole;
  return {
    contenders: chosen("contenders", ofQuick(all.slice(0, quickContenders), all, contenders), contenders),
    scenarios: chosen("only", ofQuick(quickScenarios, allScenarios, only), only),
  };
}

/** Puts the tables between the two comments that mark their place. Throws where the comments are missing. */
async function writeTables(tables: string): Promise<void> {
  const [begin, end] = ["<!-- npm run bench: begin -->", "<!-- npm run bench: end -->"];
  const text = await readFile(document, "utf8");
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`docs/performance.md lacks the comments ${begin} and ${end}`);
  await writeFile(document, `${text.slice(0, from + begin.length)}\n${tables}\n${text.slice(to)}`);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`the benchmark could not be run: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
