/** PostgreSQL through `pg`: a pool, prepared statements, and one connection that listens for other processes' changes. */
import pg from "pg";
import { v4 as randomId } from "uuid";
import { postgres } from "./dialect.ts";
import {
  type Connection,
  type Driver,
  type PreparedStatement,
  ReferenceViolation,
  UniqueViolation,
} from "./driver.ts";

/** deadlock_detected and serialization_failure: the work itself was right and is done again. */
const retryable = new Set(["40P01", "40001"]);
const attempts = 4;

/** foreign_key_violation and, from PostgreSQL 18 on for RESTRICT, restrict_violation. */
const referenceCodes = ["23503", "23001"];

/** Notices carry who changed something, because PostgreSQL tells the one who did as well. */
const channel = "postern_changes";
const heartbeatInterval = 300;
/** Past this many milliseconds without a heartbeat nothing cached is believed. */
const heartbeatLimit = 1000;

interface PostgresError {
  readonly code?: string;
  readonly table?: string;
  readonly constraint?: string;
}

function translated(error: unknown): unknown {
  const { code, table = "", constraint = "" } = error as PostgresError;
  if (code === "23505") {
    const columns = constraint.replace(`${table}_`, "").replace(/_key$/, "").replace("__", ",");
    return new UniqueViolation(`${table}.${columns === "pkey" ? "id" : columns}`, error);
  }
  if (code !== undefined && referenceCodes.includes(code)) return new ReferenceViolation(error);
  return error;
}

function connectionTo(client: pg.Pool | pg.PoolClient, names: Map<string, string>): Connection {
  const query = async (text: string, values: readonly unknown[]) => {
    let name = names.get(text);
    if (name === undefined) {
      name = `s${names.size}`;
      names.set(text, name);
    }
    try {
      return await client.query({ name, text, values: values as unknown[] });
    } catch (error) {
      throw translated(error);
    }
  };
  return {
    all: async (sql, parameters) => (await query(sql, parameters)).rows,
    first: async (sql, parameters) => (await query(sql, parameters)).rows[0],
    run: async (sql, parameters) => (await query(sql, parameters)).rowCount ?? 0,
  };
}

/**
 * Opens a pool to the database at `url`; `connections` is its size. `onError` hears of connections that break while
 * nobody uses them.
 */
export async function openPostgres(
  url: string,
  options: { connections?: number; onError?: (error: Error) => void } = {},
): Promise<Driver> {
  const onError = options.onError ?? (() => {});
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connections ?? 16,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
    pipeline: true,
  });
  pool.on("error", onError);
  const self = randomId();
  const names = new Map<string, string>();
  const all = connectionTo(pool, names);
  const listeners: (() => void)[] = [];
  const forget = () => {
    for (const listener of listeners) listener();
  };

  let heardAt = Number.NEGATIVE_INFINITY;
  let closed = false;
  let listening: pg.Client | undefined;

  /** A round trip on the listening connection proves that every notice sent before it has arrived. */
  async function beat(client: pg.Client): Promise<void> {
    const sentAt = performance.now();
    await client.query("SELECT 1");
    heardAt = sentAt;
  }

  async function listen(): Promise<void> {
    // A connection that is dead without saying so must fail, or no other would be tried.
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5000,
      query_timeout: 2000,
    });
    client.on("error", onError);
    client.on("notification", ({ payload }) => {
      if (payload !== self) forget();
    });
    listening = client;
    await client.connect();
    await client.query(`LISTEN ${channel}`);
    // What changed while nobody listened is unknown.
    forget();
    await beat(client);
  }

  let timer: NodeJS.Timeout | undefined;
  function schedule(): void {
    timer = setTimeout(async () => {
      try {
        if (listening === undefined) await listen();
        else await beat(listening);
      } catch (error) {
        onError(error as Error);
        listening?.end().catch(() => {});
        listening = undefined;
      }
      if (!closed) schedule();
    }, heartbeatInterval);
    timer.unref();
  }

  try {
    await listen();
  } catch (error) {
    await listening?.end().catch(() => {});
    await pool.end();
    throw error;
  }
  schedule();

  /**
   * What is sent is sent at once, and the answers come in its order: `BEGIN` costs no round trip of its own.
   */
  async function attempt<R>(work: (connection: Connection) => Promise<R>, notice: () => boolean): Promise<R> {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      const begun = client.query("BEGIN");
      begun.catch(() => {});
      const value = await work(connectionTo(client, names));
      await begun;
      if (notice()) await client.query(`NOTIFY ${channel}, '${self}'`);
      requireCommit(await client.query("COMMIT"));
      return value;
    } catch (error) {
      await client.query("ROLLBACK").catch((reason) => {
        broken = reason as Error;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** A transaction in which a statement failed is rolled back by COMMIT, without an error. */
  function requireCommit({ command }: { command: string }): void {
    if (command !== "COMMIT") throw new Error("the transaction went on after a statement of it had failed");
  }

  /** Everything from `BEGIN` to `COMMIT` in one round trip. The first failure is the one that tells why. */
  async function attemptAtOnce(statements: readonly PreparedStatement[]): Promise<number[]> {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      const connection = connectionTo(client, names);
      const sent = [
        client.query("BEGIN").then(() => 0),
        ...statements.map(({ sql, parameters }) => connection.run(sql, parameters)),
        client.query("COMMIT").then((result) => {
          requireCommit(result);
          return 0;
        }),
      ];
      const answers = await Promise.allSettled(sent);
      const failure = answers.find((answer) => answer.status === "rejected");
      if (failure !== undefined) throw failure.reason;
      return answers.slice(1, -1).map((answer) => (answer.status === "fulfilled" ? answer.value : 0));
    } catch (error) {
      await client.query("ROLLBACK").catch((reason) => {
        broken = reason as Error;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async function retried<R>(attemptOnce: () => Promise<R>): Promise<R> {
    for (let turn = 1; ; turn++) {
      try {
        return await attemptOnce();
      } catch (error) {
        const code = (error as PostgresError).code ?? "";
        if (!retryable.has(code) || turn === attempts) throw error;
      }
    }
  }

  const transaction: Driver["transaction"] = (work, notice = () => false) =>
    retried(() => attempt(work, notice));

  /** One statement is a transaction by itself. */
  const atOnce: Driver["atOnce"] = (statements) => {
    const [only] = statements;
    if (only !== undefined && statements.length === 1) {
      return retried(async () => [await all.run(only.sql, only.parameters)]);
    }
    return retried(() => attemptAtOnce(statements));
  };

  /** The pool forgets who waits for a connection when it ends, so closing waits for them first. */
  const underWay = new Set<Promise<unknown>>();
  function tracked<R>(promise: Promise<R>): Promise<R> {
    const done = () => underWay.delete(promise);
    underWay.add(promise);
    promise.then(done, done);
    return promise;
  }

  return {
    dialect: postgres,
    all: (sql, parameters) => tracked(all.all(sql, parameters)),
    first: (sql, parameters) => tracked(all.first(sql, parameters)),
    run: (sql, parameters) => tracked(all.run(sql, parameters)),
    transaction: (work, notice) => tracked(transaction(work, notice)),
    atOnce: (statements) => tracked(atOnce(statements)),
    // Commits that are under way at once share PostgreSQL's flush of its log without being told.
    announce: () => () => {},
    async script(connection, sql) {
      for (const statement of sql.split(/;\s*\n/)) {
        if (statement.trim() !== "") await connection.run(statement, []);
      }
    },
    isCurrent: () => performance.now() - heardAt < heartbeatLimit,
    onChange(listener) {
      listeners.push(listener);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      while (underWay.size > 0) await Promise.allSettled(underWay);
      await listening?.end().catch(() => {});
      await pool.end();
    },
  };
}
