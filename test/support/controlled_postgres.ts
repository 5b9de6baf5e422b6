/** A PostgreSQL for one test, which can be stopped, killed, frozen, demoted and followed by a standby. */
import { Client } from "pg";
import { startPostgres } from "./postgres.ts";

export interface ControlledPostgres {
  /** The URL for the role that owns the databases, as with `postgresDatabase`. */
  readonly url: string;
  readonly port: number;
  /** Creates an empty database, and returns its URL. */
  createDatabase(name: string): Promise<string>;
  /** Runs one statement as the superuser, and returns its rows. */
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** Stops the server. `immediate` is a crash: nothing is written, and the next start recovers. */
  stop(mode: "fast" | "immediate"): Promise<void>;
  /** Kills all of its processes at the same time. */
  kill(): Promise<void>;
  /** Starts it with the same port and data; as a standby it accepts no writes until `pg_promote()`. */
  start(role?: "primary" | "standby"): Promise<void>;
  /** Stops all of its processes (SIGSTOP) until `thaw`. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Adds a synchronous standby; the server is stopped while its files are copied. */
  addStandby(): Promise<ControlledPostgres>;
  /** Ends the server and deletes its files. */
  remove(): Promise<void>;
}

/** Runs `work` on a separate connection. */
async function onConnection<R>(url: string, work: (client: Client) => Promise<R>): Promise<R> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

export function controlledPostgres(...settings: readonly string[]): Promise<ControlledPostgres> {
  return started(["max_wal_size=256MB", "wal_retrieve_retry_interval=200ms", ...settings]);
}

async function started(settings: readonly string[]): Promise<ControlledPostgres> {
  const cluster = await startPostgres(settings);
  const superuser = new URL(cluster.url);
  superuser.username = "postgres";

  const query = (sql: string) =>
    onConnection(
      superuser.href,
      async (client) => (await client.query(sql)).rows as Record<string, unknown>[],
    );
  const stop = (mode: "fast" | "immediate") => cluster.command(`stop ${mode}`);
  const start = (role = "primary") => cluster.command(`start ${role}`);
  const [{ data = "" } = {}] = await query("SELECT current_setting('data_directory') AS data");

  return {
    url: cluster.url,
    port: Number(superuser.port),
    query,
    stop,
    start,
    kill: () => cluster.command("kill"),
    freeze: () => cluster.command("freeze"),
    thaw: () => cluster.command("thaw"),
    remove: () => cluster.stop(),
    async createDatabase(name) {
      await onConnection(cluster.url, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0`));
      return Object.assign(new URL(cluster.url), { pathname: `/${name}` }).href;
    },
    async addStandby() {
      await query("ALTER SYSTEM RESET synchronous_standby_names");
      await stop("fast");
      const standby = await started([...settings, `standby_of=${data}`, `primary=${superuser.href}`]);
      await start();
      await query("ALTER SYSTEM SET synchronous_standby_names = '*'");
      await query("SELECT pg_reload_conf()");
      await becomesTrue(query, "SELECT bool_or(sync_state = 'sync') AS yes FROM pg_stat_replication");
      return standby;
    },
  };
}

/** Repeats the query until the answer's `yes` is true. Throws after 30 seconds. */
async function becomesTrue(query: ControlledPostgres["query"], sql: string): Promise<void> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; ) {
    const [{ yes } = {}] = await query(`${sql.replace(/^SELECT/, "SELECT pg_sleep(0.02),")}`);
    if (yes === true) return;
  }
  throw new Error(`this did not become true: ${sql}`);
}
