/**
 * `npm run bench:starts`: cold start and idle memory of an installed package and of an image's file tree,
 * compared with the checkout. docs/installing.md has the results.
 */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { cpuSeconds, memoryOf } from "./process_usage.ts";
import { startServer } from "./processes.ts";

const usage = `usage: npm run bench:starts -- [options]
  --rounds N      how often each is started [9]
  --package PATH  a folder where the tarball of npm run package was installed
  --image PATH    the folder /opt/postern of an image's file tree
Each round starts all of them, in turn, on SQLite and this Node. Processor time tells more than time where the
machine does other work.
`;

interface Variant {
  readonly name: string;
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
}

interface Start {
  readonly seconds: number;
  readonly cpu_seconds: number;
  readonly idle_mb: number;
}

const figures = ["seconds", "cpu_seconds", "idle_mb"] as const;

/** Milliseconds without requests after which a server counts as idle. */
const settling = 3000;

/** The size of the young generation that `npm start` and the image set. */
const generation = "--max-semi-space-size=16";

async function start({ program, env }: Variant, database: string, key: string): Promise<Start> {
  const settings = { POSTERN_PORT: "0", POSTERN_DATABASE_URL: `sqlite:${database}`, POSTERN_SECRET_KEY: key };
  await using server = await startServer({
    args: [program, "serve"],
    env: { ...settings, ...env },
    ready_path: "/healthz",
  });
  const cpu = cpuSeconds(server.pid) ?? 0;
  await sleep(settling);
  const idle_mb = (memoryOf(server.pid)?.anonymous_bytes ?? 0) / 1e6;
  return { seconds: server.cold_start_seconds, cpu_seconds: cpu, idle_mb };
}

const middle = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** Returns a row of Markdown: the median of each figure, and of its ratios to the checkout by round. */
function lineOf(name: string, starts: readonly Start[], checkout: readonly Start[]): string {
  const cells = figures.map((figure) => {
    const ratios = starts.map((each, round) => each[figure] / (checkout[round]?.[figure] ?? Number.NaN));
    const value = middle(starts.map((each) => each[figure]));
    return `${value.toFixed(figure === "idle_mb" ? 0 : 2)} (${middle(ratios).toFixed(2)})`;
  });
  return `| ${[name, ...cells].join(" | ")} |`;
}

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "9" },
    package: { type: "string" },
    image: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

function variants(): readonly Variant[] {
  const here = join(import.meta.dirname, "..", "..", "bin", "postern.js");
  const env = { NODE_OPTIONS: generation };
  const found: Variant[] = [{ name: "checkout", program: here, env }];
  if (values.package !== undefined) {
    const program = join(values.package, "node_modules", "@postern", "server", "bin", "postern.js");
    found.push({ name: "package", program, env });
  }
  if (values.image !== undefined)
    found.push({ name: "image", program: join(values.image, "bin", "postern.js"), env });
  for (const { program } of found) if (!existsSync(program)) throw new Error(`${program} is not there`);
  return found;
}

if (values.help) process.stdout.write(usage);
else {
  const folder = await mkdtemp(join(tmpdir(), "postern-bench-"));
  const key = randomBytes(32).toString("base64");
  const measured = variants().map((variant) => ({ ...variant, starts: [] as Start[] }));
  try {
    // The first start creates the database and, if possible, the cache of compiled code.
    for (let round = -1; round < Number(values.rounds); round += 1)
      for (const variant of measured) {
        const figure = await start(variant, join(folder, `${variant.name}.db`), key);
        if (round >= 0) variant.starts.push(figure);
      }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const checkout = measured[0]?.starts ?? [];
  process.stdout.write(
    [
      "| | seconds (beside the checkout) | processor seconds | MB of its own, idle |",
      "|---|---|---|---|",
      ...measured.map(({ name, starts }) => lineOf(name, starts, checkout)),
    ].join("\n"),
  );
  process.stdout.write("\n");
}
