/** The run's only PostgreSQL, from the npm package that the tests use. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Client } from "pg";

export interface PostgresCluster extends AsyncDisposable {
  /** The parent of PostgreSQL's processes, so that they can be measured together. */
  readonly pid: number;
  readonly version: string;
  readonly data_folder: string;
  /** The relevant settings, as the server reports them. */
  readonly settings: Readonly<Record<string, string>>;
  /**
   * Creates a database, empty or as a copy of `template`, which must have no connections. Returns its
   * address.
   */
  createDatabase(name: string, template?: string): Promise<string>;
  /**
   * Does maintenance in advance that would otherwise happen during the measurement: statistics,
   * visibility map, and a checkpoint.
   */
  settle(url: string): Promise<void>;
}

/** PostgreSQL's default cache size. Every commit is on disk before it is acknowledged. */
const settings = { shared_buffers: "128MB", synchronous_commit: "on", fsync: "on" };
/** The settings in the report. */
const reported = ["shared_buffers", "synchronous_commit", "fsync", "max_wal_size"];

/**
 * Starts PostgreSQL on loopback with an empty cluster. PostgreSQL ends when this process ends, and its files
 * are deleted.
 */
export async function startPostgresCluster(): Promise<PostgresCluster> {
  const program = join(import.meta.dirname, "..", "..", "test", "support", "postgres_cluster.ts");
  const args = Object.entries(settings).map((setting) => setting.join("="));
  // Detached, because Ctrl-C would otherwise end it before it has removed its files. It ends when the pipe to
  // its standard input closes.
  const keeper = spawn(process.execPath, [program, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  const ended = once(keeper, "close");
  const line = await Promise.race([
    once(createInterface(keeper.stdout), "line").then(([text]) => String(text)),
    ended.then(() => undefined),
  ]);
  if (line === undefined || keeper.pid === undefined) throw new Error("PostgreSQL did not start");
  const owner = new URL(line);
  // The superuser that initdb created has the same password. Only a superuser may run CHECKPOINT.
  const admin = new URL(line);
  admin.username = "postgres";
  const databaseOf = (url: URL, name: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;

  const shown = await onDatabase(admin.href, (client) =>
    client.query<{ name: string; value: string }>(
      "SELECT name, current_setting(name) AS value FROM pg_settings WHERE name = ANY($1) ORDER BY name",
      [["server_version", "data_directory", ...reported]],
    ),
  );
  const values = Object.fromEntries(shown.rows.map(({ name, value }) => [name, value]));
  const { server_version = "unknown", data_directory = "", ...found } = values;

  return {
    pid: keeper.pid,
    version: server_version,
    data_folder: data_directory,
    settings: found,
    async createDatabase(name, template = "template0") {
      const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
      await onDatabase(owner.href, (client) =>
        client.query(`CREATE DATABASE ${quoted(name)} TEMPLATE ${quoted(template)}`),
      );
      return databaseOf(owner, name);
    },
    async settle(url) {
      await onDatabase(url, (client) => client.query("VACUUM (ANALYZE, SKIP_LOCKED)"));
      await onDatabase(admin.href, (client) => client.query("CHECKPOINT"));
    },
    async [Symbol.asyncDispose]() {
      keeper.stdin.end();
      await ended;
    },
  };
}

/** Runs `work` on a new connection. */
export async function onDatabase<R>(url: string, work: (client: Client) => Promise<R>): Promise<R> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
