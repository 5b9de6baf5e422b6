/**
 * `npm run bench -- --soak 20m`: a long mixed load with tokens that expire after two minutes and with the
 * sweeper running, reported per minute. `judgeSoak` names the values that must not grow.
 */
import { stat } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { checkServer, discover, type Endpoints } from "./checks.ts";
import type { Contender, RunningServer } from "./contender.ts";
import { onDatabase } from "./postgres_cluster.ts";
import { memoryOf } from "./process_usage.ts";
import { runLoad } from "./processes.ts";
import { type Run, workspaceOf } from "./run.ts";
import type { Scenario, Subject } from "./scenario.ts";
import { clientCredentials, introspection, revocation } from "./scenarios/client_scenarios.ts";
import { signedBy } from "./scenarios/signed_by.ts";
import { codeFlow, refresh, signIn } from "./scenarios/user_scenarios.ts";

/** One of the concurrent loads. Its connections pause, so that the machine is not fully used. */
interface Part {
  readonly scenario: Scenario;
  readonly connections: number;
  readonly pause_ms: number;
}

const parts: readonly Part[] = [
  { scenario: clientCredentials, connections: 2, pause_ms: 5 },
  { scenario: signedBy("ES256", clientCredentials), connections: 2, pause_ms: 5 },
  { scenario: introspection, connections: 2, pause_ms: 5 },
  { scenario: signedBy("ES256", refresh), connections: 2, pause_ms: 20 },
  { scenario: codeFlow, connections: 2, pause_ms: 20 },
  { scenario: revocation, connections: 1, pause_ms: 20 },
  { scenario: signIn, connections: 1, pause_ms: 500 },
];

/** The results of one minute, or of one window in a shorter run. */
export interface Minute {
  readonly per_second: number;
  /** By scenario name. */
  readonly p99_ms: Readonly<Record<string, number>>;
  readonly memory_bytes: number;
  readonly database_bytes: number;
  /** The part of `database_bytes` that the tables in `kept` use, including indexes. */
  readonly kept_bytes: number;
  /** Size of the write-ahead log; null if unknown. */
  readonly log_bytes: number | null;
  readonly rows: Readonly<Record<Counted, number>>;
  readonly errors: readonly string[];
}

export interface SoakLength {
  readonly windows: number;
  readonly window_seconds: number;
  /** The lifetime of tokens in seconds. */
  readonly token_ttl: number;
}

/** Number of tokens that are introspected and revoked per window. */
const requestedAbout = 200;

export const counted = ["oauth_tokens", "oauth_auth_codes", "sessions", "audit_events"] as const;
export type Counted = (typeof counted)[number];

/** Returns one window per minute, or twenty shorter windows if fewer minutes were requested. */
export function soakLength(minutes: number): SoakLength {
  const windows = Math.max(20, Math.round(minutes));
  const window_seconds = (60 * minutes) / windows;
  return { windows, window_seconds, token_ttl: Math.ceil(Math.max(30, 2 * window_seconds)) };
}

export async function soak(run: Run, contender: Contender, length: SoakLength): Promise<Minute[]> {
  const { windows, window_seconds, token_ttl } = length;
  await using workspace = workspaceOf(run);
  const start = await contender.prepare({ ...workspace, rows: 0, token_ttl });
  await using server = await start({});
  const endpoints = await discover(server);
  const minutes: Minute[] = [];
  for (let window = 0; window < windows; window++) {
    const minute = await soakWindow(server, endpoints, window_seconds);
    minutes.push(minute);
    const rows = minute.rows.oauth_tokens;
    run.progress(`  ${window + 1} of ${windows}: ${Math.round(minute.per_second)} a second, ${rows} tokens`);
    for (const error of minute.errors) run.progress(`    ${error}`);
  }
  return minutes;
}

async function soakWindow(server: RunningServer, endpoints: Endpoints, seconds: number): Promise<Minute> {
  const started = performance.now();
  const errors: string[] = [];
  const base: Omit<Subject, "connections"> = {
    server,
    endpoints,
    tokens: requestedAbout,
    revocations: requestedAbout,
  };
  const prepared = await Promise.all(
    parts.map(async ({ scenario, connections, pause_ms }) => {
      const exercise = await scenario.prepare({ ...base, connections });
      if (exercise === undefined) throw new Error(`${scenario.name} cannot be measured`);
      return { name: scenario.name, exercise, pause_ms };
    }),
  );
  // The preparation is part of the window, so that a window stays one minute.
  const left = Math.max(0.5, seconds - (performance.now() - started) / 1000);
  const loads = await Promise.all(
    prepared.map(async ({ name, exercise, pause_ms }) => ({
      name,
      exercise,
      report: await runLoad({
        origin: server.url,
        work: { ...exercise.work, pause_ms },
        warm_up: exercise.warm_up ?? { seconds: 0 },
        // If a part uses up its single-use values, it ends before the window does.
        measured: exercise.measured ?? { seconds: left },
        kept_answers: 5,
        watched: {},
      }),
    })),
  );
  const reported = await progress(server);
  for (const { name, exercise, report } of loads) {
    for (const [reason, count] of Object.entries(report.errors)) errors.push(`${name}: ${count} × ${reason}`);
    try {
      await exercise.check(report.kept, report.carried);
    } catch (error) {
      errors.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  await checkServer(server, endpoints);
  return {
    ...reported,
    per_second: loads.reduce((sum, { report }) => sum + report.answers, 0) / left,
    p99_ms: Object.fromEntries(loads.map(({ name, report }) => [name, report.p99_ms])),
    errors,
  };
}

/** Tables whose rows are kept for days, so that they only grow in a run of minutes. */
const kept = ["sessions", "audit_events"];

type Told = Pick<Minute, "memory_bytes" | "database_bytes" | "kept_bytes" | "log_bytes" | "rows">;

async function progress(server: RunningServer): Promise<Told> {
  const memory_bytes = memoryOf(server.pid)?.resident_bytes ?? 0;
  const { database = "" } = server;
  const counts = `SELECT ${counted.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`).join(", ")}`;
  const numbers = (row: Readonly<Record<string, unknown>> | undefined) =>
    Object.fromEntries(counted.map((table) => [table, Number(row?.[table])])) as Record<Counted, number>;
  if (database.startsWith("postgres:")) {
    const found = await onDatabase(database, (client) =>
      client.query<Record<string, unknown>>(
        `${counts}, pg_database_size(current_database()) AS bytes,
        ${kept.map((table) => `pg_total_relation_size('${table}')`).join(" + ")} AS kept`,
      ),
    );
    const [row] = found.rows;
    const sizes = { database_bytes: Number(row?.bytes), kept_bytes: Number(row?.kept) };
    return { memory_bytes, ...sizes, log_bytes: null, rows: numbers(row) };
  }
  const path = database.replace("sqlite:", "");
  const sizeOf = async (name: string) => (await stat(name)).size;
  const reader = new DatabaseSync(path, { readOnly: true });
  try {
    const names = kept.map((table) => `'${table}'`).join(", ");
    const ofKept = `SELECT sum(d.pgsize) AS kept FROM dbstat d JOIN sqlite_schema s ON s.name = d.name
      WHERE d.aggregate = TRUE AND s.tbl_name IN (${names})`;
    return {
      memory_bytes,
      database_bytes: await sizeOf(path),
      kept_bytes: Number(reader.prepare(ofKept).get()?.kept),
      log_bytes: await sizeOf(`${path}-wal`),
      rows: numbers(reader.prepare(counts).get()),
    };
  } finally {
    reader.close();
  }
}
