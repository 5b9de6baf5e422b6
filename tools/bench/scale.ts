/**
 * `npm run bench:scale`: the cost of a lookup and of an issued token with few, many and very many stored
 * tokens. docs/scaling.md explains the results.
 */
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { discover } from "./checks.ts";
import type { Contender, RunningServer } from "./contender.ts";
import { writeInto } from "./document_tables.ts";
import { describeMachine, type Machine } from "./machine.ts";
import { markdownTable, whole } from "./markdown.ts";
import { onDatabase } from "./postgres_cluster.ts";
import { storedBytes } from "./process_usage.ts";
import { runLoad } from "./processes.ts";
import type { BenchOptions, Measurement } from "./results.ts";
import { measure, type Run, workspaceOf } from "./run.ts";
import { measureLists } from "./scale_lists.ts";
import type { Scenario } from "./scenario.ts";
import { clientCredentials, introspection } from "./scenarios/client_scenarios.ts";
import { issuing } from "./scenarios/issuing.ts";
import { postern } from "./servers/postern.ts";

const usage = `usage: npm run bench:scale -- [options]
  --rows A,B,C        numbers of tokens in the databases [10000,1000000,10000000]
  --engines A,B       sqlite, postgres [both]
  --seconds N         duration of each measurement [4]
  --write             write the table to docs/scaling.md
  --lists             measure a page of every list instead, with 1,000 records and with the last number in --rows
  --folder PATH       folder of the SQLite databases, on a disk [node_modules/.cache]
`;

type Engine = "sqlite" | "postgres";

/** One row of the table. */
interface Step {
  readonly engine: Engine;
  readonly rows: number;
  readonly lookUp: Measurement;
  readonly issue: Measurement;
  /** Bytes on disk, including indexes, per token in the filled database. */
  readonly bytes_per_row: number;
  /** Bytes written to disk per issued token. */
  readonly written_bytes: number | null;
}

/** Number of issued tokens over which the written bytes are averaged. */
const counted = 20_000;

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: "string", default: "10000,1000000,10000000" },
      engines: { type: "string", default: "sqlite,postgres" },
      seconds: { type: "string", default: "4" },
      write: { type: "boolean", default: false },
      lists: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
      folder: { type: "string", default: join(import.meta.dirname, "..", "..", "node_modules", ".cache") },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  await mkdir(values.folder, { recursive: true });
  const folder = await mkdtemp(join(values.folder, "postern-scale-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

  const progress = (sentence: string) => process.stderr.write(`${sentence}\n`);
  if (values.lists) {
    const { lines, dear } = await measureLists({
      engines: values.engines.split(",") as Engine[],
      rows: Math.max(...values.rows.split(",").map(Number)),
      seconds: Number(values.seconds),
      folder,
      makeFolder: async (name) => {
        const made = join(folder, name);
        await mkdir(made, { mode: 0o700 });
        return made;
      },
      progress,
    });
    const text = [machineLine(await describeMachine([folder]), 4), "", ...lines].join("\n");
    process.stdout.write(`\n${text}\n`);
    for (const shape of dear) progress(`more than three times as expensive: ${shape}`);
    return dear.length > 0 ? 1 : 0;
  }
  const steps: Step[] = [];
  for (const engine of values.engines.split(",") as Engine[]) {
    for (const rows of values.rows.split(",").map(Number)) {
      steps.push(await measureStep(engine, rows, Number(values.seconds), folder));
    }
  }
  const machine = await describeMachine([folder]);
  const text = [machineLine(machine, 16), "", ...table(steps)].join("\n");
  process.stdout.write(`\n${text}\n`);
  if (values.write) await writeInto("scaling.md", "npm run bench:scale", text);
  return steps.some(({ lookUp, issue }) => [lookUp, issue].some(wentWrong)) ? 1 : 0;
}

function wentWrong({ load, errors }: Measurement): boolean {
  return load.failures > 0 || errors.length > 0;
}

async function measureStep(engine: Engine, rows: number, seconds: number, folder: string): Promise<Step> {
  const progress = (sentence: string) => process.stderr.write(`${sentence}\n`);
  const options: BenchOptions = {
    rounds: 1,
    warm_up_seconds: 3,
    measured_seconds: seconds,
    connections: 16,
    rows,
    tokens: Math.min(20_000, rows),
    revocations: 0,
    users: 0,
  };
  const contender: Contender = await postern(engine, 1);
  const run: Run = {
    contenders: [contender],
    scenarios: [introspection, clientCredentials],
    options,
    folder,
    makeFolder: async (name) => {
      const made = join(folder, `${engine}_${rows}_${name}`);
      await mkdir(made, { mode: 0o700 });
      return made;
    },
    progress,
  };
  progress(`${engine}, ${rows} tokens`);
  await using workspace = workspaceOf(run);
  const start = await contender.prepare(workspace);
  await using server = await start({});
  const bytes_per_row = (await databaseBytes(server)) / rows;
  const lookUp = await measured(introspection, server, options);
  const issue = await measured(clientCredentials, server, options);
  const written_bytes = await writtenForEach(server, options);
  progress(
    `  ${Math.round(lookUp.load.per_second)} look-ups, ${Math.round(issue.load.per_second)} tokens a second`,
  );
  return { engine, rows, lookUp, issue, bytes_per_row, written_bytes };
}

async function measured(
  scenario: Scenario,
  server: RunningServer,
  options: BenchOptions,
): Promise<Measurement> {
  const measurement = await measure(scenario, server, options);
  if (measurement === undefined) throw new Error(`${scenario.name} cannot be measured`);
  return measurement;
}

async function databaseBytes({ database }: RunningServer): Promise<number> {
  if (database === undefined) throw new Error("the server does not report where its database is");
  if (!database.startsWith("postgres:")) return (await stat(database.replace("sqlite:", ""))).size;
  const found = await onDatabase(database, (client) =>
    client.query<{ bytes: string }>("SELECT pg_total_relation_size('oauth_tokens') AS bytes"),
  );
  return Number(found.rows[0]?.bytes);
}

/**
 * Returns the bytes written per issued token: the growth of PostgreSQL's log, or what the server writes
 * to its database file and log.
 */
async function writtenForEach(
  server: RunningServer,
  { connections, tokens, revocations }: BenchOptions,
): Promise<number | null> {
  const subject = { server, endpoints: await discover(server), connections, tokens, revocations };
  const before = await writtenBytes(server);
  await runLoad({
    origin: server.url,
    work: issuing(subject, server.jwt_request),
    warm_up: { seconds: 0 },
    measured: { answers: counted },
    kept_answers: 0,
    watched: {},
  });
  const after = await writtenBytes(server);
  return before === null || after === null ? null : (after - before) / counted;
}

async function writtenBytes({ database, pid }: RunningServer): Promise<number | null> {
  if (!database?.startsWith("postgres:")) return storedBytes(pid);
  const found = await onDatabase(database, (client) =>
    client.query<{ bytes: string }>("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bytes"),
  );
  return Number(found.rows[0]?.bytes);
}

function table(steps: readonly Step[]): string[] {
  const cpu = ({ load }: Measurement) =>
    Object.values(load.cpu_seconds).reduce<number>((sum, each) => sum + (each ?? Number.NaN), 0);
  const each = (measurement: Measurement) =>
    ((1000 * cpu(measurement)) / measurement.load.answers).toFixed(3);
  return markdownTable(
    [
      "Database",
      "tokens in it",
      "look-ups a second",
      "p50, p99 ms",
      "CPU ms each",
      "tokens issued a second",
      "p50, p99 ms",
      "CPU ms each",
      "bytes a row, with indexes",
      "bytes written a token",
    ],
    steps.map(({ engine, rows, lookUp, issue, bytes_per_row, written_bytes }) => [
      engine === "sqlite" ? "SQLite" : "PostgreSQL",
      whole(rows),
      whole(lookUp.load.per_second),
      `${lookUp.load.p50_ms.toFixed(2)}, ${lookUp.load.p99_ms.toFixed(2)}`,
      each(lookUp),
      whole(issue.load.per_second),
      `${issue.load.p50_ms.toFixed(2)}, ${issue.load.p99_ms.toFixed(2)}`,
      each(issue),
      whole(bytes_per_row),
      written_bytes === null ? "–" : whole(written_bytes),
    ]),
  );
}

function machineLine({ cores, cpu, system, node }: Machine, connections: number): string {
  return `${cores} × ${cpu}, ${system}, Node ${node}; ${connections} connections, the load generator and PostgreSQL on the same cores.`;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  process.exitCode = 1;
}
