/**
 * `npm run bench:cores`: what more cores and workers would carry, by simulation from the last run of `npm run
 * bench`, beside what that run measured. docs/scaling.md says what is simulated and what is not.
 */
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeInto } from "./document_tables.ts";
import type { Results } from "./results.ts";
import { measureCommits } from "./simulation/commit_costs.ts";
import { coreTables } from "./simulation/core_tables.ts";

const usage = `usage: npm run bench:cores -- [options]
  --cores A,B,C       cores of the machine [2,4,8,16,32]
  --results FILE      what npm run bench measured [bench/results/latest.jsonl]
  --seed N            of what is left to chance [1]
  --held              commits hold the event loop and the write lock until they are on disk, as they did before
                      decision 15 was written anew: for results of that time, and to compare
  --write             puts the tables into docs/scaling.md
  --folder PATH       where commits are measured, on a disk [node_modules/.cache]
`;

async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      cores: { type: "string", default: "2,4,8,16,32" },
      results: { type: "string", default: join(import.meta.dirname, "results", "latest.jsonl") },
      seed: { type: "string", default: "1" },
      held: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
      folder: { type: "string", default: join(import.meta.dirname, "..", "node_modules", ".cache") },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return;
  }
  const cores = values.cores.split(",").map(Number);
  if (cores.some((count) => !Number.isInteger(count) || count < 2 || count % 2 > 0))
    throw new Error("--cores: expected even numbers from 2 on");
  const results = JSON.parse(await readFile(values.results, "utf8")) as Results;
  await mkdir(values.folder, { recursive: true });
  const folder = await mkdtemp(join(values.folder, "postern-cores-"));
  try {
    const written = { ...measureCommits(folder, values.held), holds: values.held };
    const text = coreTables(results, written, cores, Number(values.seed));
    process.stdout.write(`\n${text}\n`);
    if (values.write) await writeInto("scaling.md", "npm run bench:cores", text);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  process.exitCode = 1;
}
