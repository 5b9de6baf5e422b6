/**
 * `npm run bench:starts`: measures the cold start and the idle memory of this checkout, of an installed
 * package and of an image's file tree, and compares them with oidc-provider in memory. docs/performance.md
 * has the result for the start.
 */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { cpuSeconds, memoryOf } from "./process_usage.ts";
import { type ServerProcess, startServer } from "./processes.ts";
import { workspaceOf } from "./run.ts";
import { oidcProvider } from "./servers/oidc_provider.ts";

const usage = `usage: npm run bench:starts -- [options]
  --rounds N       starts of each [9]
  --settle N       seconds from a start until memory is measured [3]
  --package PATH   a folder in which the tarball of npm run package is installed; repeatable
  --image PATH     the folder /opt/postern in the file tree of an image
  --checkout PATH  another checkout, such as an earlier commit
Each round starts all of them in turn on this Node, and Postern on SQLite with an existing database. If the machine
does other work, processor time is more reliable than elapsed time.
`;

interface Variant {
  readonly name: string;
  start(): Promise<ServerProcess>;
}

interface Start {
  readonly seconds: number;
  readonly cpu_seconds: number;
  readonly memory_mb: number;
}

const figures = ["seconds", "cpu_seconds", "memory_mb"] as const;

/** The size of the young generation that `npm start` and the image set. */
const generation = "--max-semi-space-size=16";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "9" },
    settle: { type: "string", default: "3" },
    package: { type: "string", multiple: true, default: [] },
    image: { type: "string" },
    checkout: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

async function measure(variant: Variant): Promise<Start> {
  await using server = await variant.start();
  const cpu = cpuSeconds(server.pid) ?? 0;
  await sleep(Number(values.settle) * 1000);
  const memory_mb = (memoryOf(server.pid)?.resident_bytes ?? 0) / 1e6;
  return { seconds: server.cold_start_seconds, cpu_seconds: cpu, memory_mb };
}

const middle = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/**
 * Returns a row of Markdown: the median of each figure and, in parentheses, the median of its ratios to the
 * peer's figure in the same round.
 */
function lineOf(name: string, starts: readonly Start[], peer: readonly Start[]): string {
  const cells = figures.map((figure) => {
    const ratios = starts.map((each, round) => each[figure] / (peer[round]?.[figure] ?? Number.NaN));
    const value = middle(starts.map((each) => each[figure]));
    return `${value.toFixed(figure === "memory_mb" ? 0 : 2)} (${middle(ratios).toFixed(2)})`;
  });
  return `| ${[name, ...cells].join(" | ")} |`;
}

async function variants(folder: string): Promise<readonly Variant[]> {
  const makeFolder = async (name: string) => {
    const made = join(folder, name);
    await mkdir(made);
    return made;
  };
  const sizes = { rows: 0, tokens: 0, users: 0, revocations: 0 };
  const options = { rounds: 1, connections: 1, warm_up_seconds: 0, measured_seconds: 0, ...sizes };
  const peer = await oidcProvider("memory");
  const start = await peer.prepare(
    workspaceOf({ contenders: [], scenarios: [], options, folder, makeFolder, progress: () => {} }),
  );
  const env = {
    NODE_OPTIONS: generation,
    POSTERN_PORT: "0",
    POSTERN_SECRET_KEY: randomBytes(32).toString("base64"),
  };
  const ours = ([name, base]: readonly [string, string], index: number): Variant => {
    const program = join(base, "bin", "postern.js");
    if (!existsSync(program)) throw new Error(`${program} does not exist`);
    const database = `sqlite:${join(folder, `${index}.db`)}`;
    return {
      name,
      start: () =>
        startServer({
          args: [program, "serve"],
          env: { ...env, POSTERN_DATABASE_URL: database },
          ready_path: "/healthz",
        }),
    };
  };
  const places: (readonly [string, string])[] = [
    ["checkout", join(import.meta.dirname, "..", "..")],
    ...(values.checkout === undefined ? [] : [["other checkout", values.checkout] as const]),
    ...values.package.map((path) => ["package", join(path, "node_modules", "@postern", "server")] as const),
    ...(values.image === undefined ? [] : [["image", values.image] as const]),
  ];
  return [{ name: "oidc-provider, memory", start: () => start({}) }, ...places.map(ours)];
}

if (values.help) process.stdout.write(usage);
else {
  const folder = await mkdtemp(join(tmpdir(), "postern-bench-"));
  try {
    const measured = (await variants(folder)).map((variant) => ({ variant, starts: [] as Start[] }));
    // The first start creates the database and, if possible, the cache of compiled code.
    for (let round = -1; round < Number(values.rounds); round += 1)
      for (const { variant, starts } of measured) {
        const figure = await measure(variant);
        if (round >= 0) starts.push(figure);
      }
    const peer = measured[0]?.starts ?? [];
    const lines = [
      "| | seconds (to oidc-provider's) | processor seconds | MB |",
      "|---|---|---|---|",
      ...measured.map(({ variant, starts }) => lineOf(variant.name, starts, peer)),
    ];
    process.stdout.write(`${lines.join("\n")}\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
