/**
 * `npm test` and its longer forms: runs the test files that take longest first, so that none is left over at
 * the end. `*.long.test.ts` run only in the long form.
 */
import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { sep } from "node:path";
import { finished } from "node:stream/promises";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { batchesOf, entryOf } from "./batches.ts";
import { collectTimes, times } from "./file_times.ts";
import { formVariable, hangsAfter } from "./form.ts";
import { globalSetup, globalTeardown } from "./global_setup.ts";
import { preloads } from "./preloads.ts";
import { profileVariable, runsInProfile } from "./profile_files.ts";
import { servedProgram } from "./served_program.ts";
import { collectSites, sitesOnSqliteAlone } from "./statement_sites.ts";

const usage = `Runs the tests.

npm test [-- --long] [-- --serializable] [-- --concurrency N] [-- --times]

  --long           every test file on every database, with the full number of rounds (npm run test:long)
  --serializable   only the storage, protocol and race tests, on PostgreSQL in the profile serializable,
                   behind a proxy that makes transactions repeat (npm run test:serializable)
  --concurrency N  files at the same time (default: the number of cores plus one, because many wait for other processes)
  --times          at the end, print the processor time of each file, and the start and processor time of each process
`;

const tests = fileURLToPath(new URL("..", import.meta.url));
const batchFolder = fileURLToPath(new URL("../../node_modules/.cache/test-batches", import.meta.url));

const { values } = parseArgs({
  options: {
    long: { type: "boolean", default: false },
    serializable: { type: "boolean", default: false },
    concurrency: { type: "string", default: String(availableParallelism() + 1) },
    times: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

/** Runs all files, and returns whether every test passed. */
async function runAll(): Promise<boolean> {
  const all = globSync("**/*.test.ts", { cwd: tests })
    .map((path) => path.replaceAll(sep, "/"))
    .filter((path) => values.long || !path.endsWith(".long.test.ts"));
  const found = values.serializable ? all.filter(runsInProfile) : all;
  let passed = true;
  const results = run({
    files: batchesOf(found).map((batch) => entryOf(batch, { tests, folder: batchFolder })),
    concurrency: Number(values.concurrency),
    // Tests create much garbage: a larger young generation saves 4 % of their processor time.
    execArgv: ["--max-semi-space-size=32", ...preloads],
    timeout: values.long || values.serializable ? 4 * hangsAfter : hangsAfter,
  });
  results.on("test:fail", () => {
    passed = false;
  });
  const report = results.compose(spec);
  report.pipe(process.stdout);
  await finished(report, { writable: false });
  return passed;
}

if (values.help) process.stdout.write(usage);
else {
  if (values.serializable) process.env[profileVariable] = "serializable";
  if (values.long) process.env[formVariable] = "long";
  // This builds the program once, so servers that start at the same time find it built.
  execFileSync(process.execPath, [servedProgram, "--version"]);
  collectSites();
  if (values.times) collectTimes();
  await globalSetup();
  try {
    process.exitCode = (await runAll()) ? 0 : 1;
    const untried = values.serializable ? [] : sitesOnSqliteAlone();
    if (untried.length > 0) {
      process.exitCode = 1;
      process.stdout.write(`Statements that no test has tried on PostgreSQL:\n  ${untried.join("\n  ")}\n`);
    }
    if (values.times) process.stdout.write(`${times().join("\n")}\n`);
  } finally {
    await globalTeardown();
  }
}
