/**
 * `npm run bench:database`: measures what a response costs: the processor time of the server and of
 * PostgreSQL, and the traffic between them. docs/scaling.md lists the round trips.
 */
import { rmSync } from "node:fs";
import { mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { discover } from "./checks.ts";
import { type DatabaseProxy, type Passed, startDatabaseProxy } from "./database_proxy.ts";
import { chosen } from "./options.ts";
import { startPostgresCluster } from "./postgres_cluster.ts";
import { cpuSeconds } from "./process_usage.ts";
import { runLoad } from "./processes.ts";
import type { Exercise, Scenario, Subject } from "./scenario.ts";
import { allScenarios } from "./scenarios/all_scenarios.ts";
import { postern } from "./servers/postern.ts";

const usage = `usage: npm run bench:database -- [options]
  --only A,B         only these scenarios [client-credentials,introspection,refresh,code-flow,revocation,sign-in]
  --connections N    concurrent requests [1]
  --answers N        measured responses of each scenario [2000; a tenth of that for sign-in]
`;

/**
 * The processor time of the server's background work (sweeper, heartbeat) is measured for this long without
 * load, and then subtracted from the results.
 */
const quiet_ms = 3000;

const usual = ["client-credentials", "introspection", "refresh", "code-flow", "revocation", "sign-in"];

interface Cost extends Passed {
  readonly answers: number;
  readonly server_seconds: number;
  readonly postgres_seconds: number;
}

const figures = [
  "round_trips",
  "statements",
  "bytes_out",
  "bytes_in",
  "server_seconds",
  "postgres_seconds",
] as const;

function load({ work, warm_up, measured }: Exercise, { server }: Subject, answers: number) {
  return runLoad({
    origin: server.url,
    work,
    // If each value can be used only once, the scenario prepares separate values for the warm-up and the
    // measurement.
    warm_up: measured === undefined ? { seconds: 0 } : (warm_up ?? { seconds: 0 }),
    measured: measured ?? { answers },
    kept_answers: 0,
    watched: {},
  });
}

type Counts = Record<(typeof figures)[number] | "milliseconds", number>;

function countsNow({ server: { watched } }: Subject, proxy: DatabaseProxy): Counts {
  return {
    ...proxy.passed(),
    server_seconds: cpuSeconds(watched.server ?? 0) ?? 0,
    postgres_seconds: cpuSeconds(watched.PostgreSQL ?? 0) ?? 0,
    milliseconds: performance.now(),
  };
}

async function costOf(
  scenario: Scenario,
  subject: Subject,
  proxy: DatabaseProxy,
  wanted: number,
): Promise<Cost | undefined> {
  const first = await scenario.prepare(subject);
  if (first === undefined) return undefined;
  await load(first, subject, Math.ceil(wanted / 4));
  const exercise = (await scenario.prepare(subject)) ?? first;
  const before = countsNow(subject, proxy);
  await sleep(quiet_ms);
  const begun = countsNow(subject, proxy);
  const report = await load(exercise, subject, wanted);
  const ended = countsNow(subject, proxy);
  if (report.failures > 0) throw new Error(`${scenario.name}: ${JSON.stringify(report.errors)}`);
  const requests = Object.values(report.statuses).reduce((sum, count) => sum + count, 0);
  const share = (ended.milliseconds - begun.milliseconds) / (begun.milliseconds - before.milliseconds);
  const own = figures.map((figure) => [
    figure,
    ended[figure] - begun[figure] - share * (begun[figure] - before[figure]),
  ]);
  return {
    answers: requests / exercise.work.steps.length,
    ...(Object.fromEntries(own) as Omit<Cost, "answers">),
  };
}

function row(name: string, { answers, ...cost }: Cost): string {
  const each = (total: number, digits = 1) => (Math.max(0, total) / answers).toFixed(digits);
  const reported = [
    each(cost.round_trips),
    each(cost.statements),
    each(cost.bytes_out, 0),
    each(cost.bytes_in, 0),
    each(cost.server_seconds * 1000, 3),
    each(cost.postgres_seconds * 1000, 3),
  ];
  return `| ${[name, ...reported].join(" | ")} |`;
}

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: "string", default: usual.join(",") },
      connections: { type: "string", default: "1" },
      answers: { type: "string", default: "2000" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const scenarios = chosen("only", allScenarios, values.only.split(","));
  const [connections, answers] = [Number(values.connections), Number(values.answers)];

  const cache = join(import.meta.dirname, "..", "..", "node_modules", ".cache");
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "postern-database-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  await using cluster = await startPostgresCluster();
  await using proxy = await startDatabaseProxy(await cluster.createDatabase("anywhere"));
  const contender = await postern("postgres", 1);
  const start = await contender.prepare({
    makeFolder: async (name) => {
      const made = join(folder, name);
      await mkdir(made, { mode: 0o700 });
      return made;
    },
    postgres: async () => ({
      ...cluster,
      createDatabase: async (name, template) => proxy.through(await cluster.createDatabase(name, template)),
    }),
    rows: 0,
    tokens: answers,
    users: 0,
    made: new Map(),
    progress: () => {},
  });
  await using server = await start({});
  const endpoints = await discover(server);
  const subject = { server, endpoints, connections, tokens: answers, revocations: answers };
  const head =
    "| Scenario | round trips | statements | bytes out | bytes in | CPU ms, server | CPU ms, PostgreSQL |";
  process.stdout.write(`${head}\n|${" --- |".repeat(7)}\n`);
  for (const scenario of scenarios) {
    const wanted = scenario.bound?.limit === "argon2id" ? Math.ceil(answers / 10) : answers;
    const cost = await costOf(scenario, subject, proxy, wanted);
    if (cost !== undefined) process.stdout.write(`${row(scenario.name, cost)}\n`);
  }
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
