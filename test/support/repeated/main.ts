/**
 * `npm run test:chance`: runs the tests whose result could depend on chance again and again, and counts
 * failures.
 */
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { globalSetup, globalTeardown } from "../global_setup.ts";
import { suspects } from "./suspects.ts";

const usage = `Repeats the tests that use random text, test races or once depended on the clock.

npm run test:chance -- [--times 500] [--seconds 60] [--file PART]

  --times N    maximum number of runs of each test (500)
  --seconds N  maximum seconds per file (60)
  --file PART  only files whose path contains PART
`;

const hooks = new URL("./hooks.ts", import.meta.url).href;

const { values } = parseArgs({
  options: {
    times: { type: "string", default: "500" },
    seconds: { type: "string", default: "60" },
    file: { type: "string", default: "" },
    help: { type: "boolean", default: false },
  },
});

interface Counts {
  readonly pass: number;
  readonly fail: number;
  /** The smallest number of passed runs of any test. */
  readonly least: number;
  /** The output of the failed runs; the whole output if no test ran. */
  readonly complaints: string;
}

/** Runs that are neither failed nor skipped, as TAP prints them. */
const passedTurn = /^ *ok \d+ - (.+) \(\d+\)$/gm;
const failedTurn = /^( *)not ok [\s\S]*?^\1 {2}\.\.\.$/gm;

function countsOf(output: string): Counts {
  const counted = (word: string) => Number(new RegExp(`^# ${word} (\\d+)$`, "m").exec(output)?.[1] ?? 0);
  const turns = new Map<string, number>();
  for (const [, title = ""] of output.matchAll(passedTurn)) turns.set(title, (turns.get(title) ?? 0) + 1);
  const pass = counted("pass");
  return {
    pass,
    fail: counted("fail"),
    least: turns.size === 0 ? 0 : Math.min(...turns.values()),
    complaints: pass === 0 ? output : (output.match(failedTurn) ?? []).join("\n"),
  };
}

/** Runs the wanted tests of one file the requested number of times, in a separate process. */
function repeated(file: string, titles: readonly string[]): Promise<Counts> {
  const args = ["--import", hooks, "--test-reporter=tap", `test/${file}`];
  const child = spawn(process.execPath, args, {
    env: {
      ...process.env,
      REPEATED_TIMES: values.times,
      REPEATED_SECONDS: values.seconds,
      REPEATED_TITLES: JSON.stringify(titles),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => resolve(countsOf(output)));
  });
}

async function main(): Promise<number> {
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  await globalSetup();
  let passed = 0;
  let failed = 0;
  try {
    for (const { file, titles } of suspects) {
      if (!file.includes(values.file)) continue;
      const { pass, fail, least, complaints } = await repeated(file, titles);
      process.stdout.write(`${file}: ${pass} passed, each at least ${least} times, ${fail} failed\n`);
      // If no test has such a title, the run counts as failed.
      if (fail > 0 || pass === 0) process.stdout.write(`${complaints.slice(0, 8000)}\n`);
      passed += pass;
      failed += fail + (pass === 0 ? 1 : 0);
    }
  } finally {
    await globalTeardown();
  }
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main();
