/** A real PostgreSQL for the tests: one cluster per test run, one new database per caller. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { Socket } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { quickFolder } from "./temp.ts";
import { until } from "./until.ts";

/**
 * Names the cluster to use. The global setup sets it for the whole run; a developer may set it to their own
 * PostgreSQL (any role that may create databases). The name does not begin with `POSTERN_`, because servers
 * under test refuse unknown names.
 */
export const clusterVariable = "TEST_POSTGRES_URL";

export interface PostgresCluster {
  /** The URL of the database `postgres`, for a role that may create databases and is no superuser. */
  readonly url: string;
  /** Runs a command on the cluster: see `postgres_cluster.ts`. Throws with the reason if it fails. */
  command(line: string): Promise<void>;
  stop(): Promise<void>;
}

export interface PostgresDatabase {
  readonly name: string;
  readonly url: string;
  /** Closes remaining connections and removes the database. */
  drop(): Promise<void>;
}

/**
 * Starts a cluster that ends with this process, however the process ends: a separate keeper process stops
 * PostgreSQL and deletes its files when the pipe to its standard input closes.
 */
export async function startPostgres(
  settings: readonly string[] = ["max_wal_size=256MB"],
): Promise<PostgresCluster> {
  const program = fileURLToPath(new URL("postgres_cluster.ts", import.meta.url));
  // Detached, because a Ctrl-C for the test run would otherwise end the keeper before it has cleaned up.
  const keeper = spawn(process.execPath, [program, ...settings], {
    env: { TEST_POSTGRES_DATA_IN: quickFolder(), ...process.env },
    stdio: "pipe",
    detached: true,
  });
  const complaints: Buffer[] = [];
  keeper.stderr.on("data", (chunk: Buffer) => complaints.push(chunk));
  const ended = once(keeper, "close");

  const lines = createInterface(keeper.stdout);
  const nextLine = () =>
    Promise.race([once(lines, "line").then(([line]) => String(line)), ended.then(() => undefined)]);
  const url = await nextLine();
  if (url === undefined) throw new Error(`PostgreSQL did not start.\n${Buffer.concat(complaints)}`);

  // From here on the cluster must not keep an otherwise finished test process alive.
  keeper.unref();
  const pipes = [keeper.stdin, keeper.stdout, keeper.stderr] as unknown as Socket[];
  for (const pipe of pipes) pipe.unref();
  let last: Promise<unknown> = Promise.resolve();
  const obeyed = async (line: string) => {
    for (const each of [keeper, ...pipes]) each.ref();
    keeper.stdin.write(`${line}\n`);
    const answer = await nextLine();
    for (const each of [keeper, ...pipes]) each.unref();
    if (answer !== "done") throw new Error(`${line}: ${answer ?? Buffer.concat(complaints)}`);
  };
  return {
    url,
    command(line) {
      const done = last.then(() => obeyed(line));
      last = done.catch(() => {});
      return done;
    },
    async stop() {
      keeper.ref();
      keeper.stdin.end();
      await ended;
    },
  };
}

let ownCluster: Promise<PostgresCluster> | undefined;

async function clusterUrl(): Promise<string> {
  const shared = process.env[clusterVariable];
  if (shared) return shared;
  // This test file runs alone, without the global setup: the cluster ends with the process.
  ownCluster ??= startPostgres();
  return (await ownCluster).url;
}

/** Runs the work on a separate connection. */
export async function connected<R>(url: string, work: (client: Client) => Promise<R>): Promise<R> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const runOn = (url: string, sql: string) => connected(url, (client) => client.query(sql));

/**
 * Creates a database for the caller alone, with a random name: empty, or a copy of the named one, which must
 * have no connections. `settings` apply to each session in it.
 */
export async function postgresDatabase(
  template?: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresDatabase> {
  const cluster = await clusterUrl();
  const name = `test_${randomBytes(8).toString("hex")}`;
  const url = new URL(cluster);
  url.pathname = `/${name}`;
  // template0 accepts no connections, so several databases can be created from it concurrently.
  await runOn(cluster, `CREATE DATABASE ${name} TEMPLATE ${template ?? "template0"}`);
  for (const [setting, value] of Object.entries(settings))
    await runOn(cluster, `ALTER DATABASE ${name} SET ${setting} = '${value}'`);
  return {
    name,
    url: url.href,
    drop: () => dropDatabase(cluster, name),
  };
}

/**
 * Drops the database. PostgreSQL may refuse this while its own vacuum works in the database (42501), which
 * takes only moments, so the command is repeated.
 */
async function dropDatabase(cluster: string, name: string): Promise<void> {
  let refusal: unknown;
  const dropped = async () => {
    try {
      await runOn(cluster, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      return true;
    } catch (error) {
      refusal = error;
      if ((error as { code?: string }).code !== "42501") throw error;
      return false;
    }
  };
  await until(dropped, `the database ${name} can be dropped`).catch((error) => {
    throw new Error(String(error), { cause: refusal });
  });
}
