/** PostgreSQL through `pg`: a pool, prepared statements, and one connection that listens for other processes' changes. */
import pg from "pg";
import { v4 as randomId } from "uuid";
import { postgres } from "./dialect.ts";
import type { Driver } from "./driver.ts";
import { changeChannel, listenForChanges } from "./postgres_changes.ts";
import { postgresCommits } from "./postgres_commits.ts";
import { connectionTo } from "./postgres_connection.ts";
import { postgresLookUps } from "./postgres_look_ups.ts";

/**
 * What is asked here is asked by key or in the order of a key. A plan is made once and kept, and one that was made while a
 * table was empty reads all of it, which it goes on doing when the table has grown. A bitmap loses the order: all that
 * fits would be read to sort it, of which a page wants fifty. Compiling a plan never pays.
 */
const planning = "SET enable_seqscan = off; SET enable_bitmapscan = off; SET jit = off";

/**
 * Opens a pool to the database at `url`; `connections` is its size. `onError` hears of every connection that
 * breaks.
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
  // A connection says that it broke for as long as it lives, also while somebody holds it: the pool listens only to those
  // that nobody holds, and an event that nobody hears ends the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => {
    client.on("error", onError);
    client.query(planning).catch(onError);
  });
  const self = randomId();
  const names = new Map<string, string>();
  const all = connectionTo(pool, names);
  const commits = postgresCommits(pool, names);
  const lookUps = postgresLookUps(pool, names, onError);
  const listeners: (() => void)[] = [];
  const changes = await listenForChanges({
    url,
    self,
    onError,
    forget() {
      for (const listener of listeners) listener();
    },
  }).catch(async (error) => {
    await pool.end();
    throw error;
  });

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
    ask: (text, values) =>
      tracked(pool.query({ text, values: values as unknown[] }).then(({ rows }) => rows)),
    first: (sql, parameters) => tracked(lookUps.first(sql, parameters)),
    run: (sql, parameters) => tracked(all.run(sql, parameters)),
    transaction: (work, notice = () => false) =>
      tracked(commits.transaction(work, () => (notice() ? `NOTIFY ${changeChannel}, '${self}'` : undefined))),
    atOnce: (statements) => tracked(commits.atOnce(statements)),
    announce: commits.announce,
    async script(connection, sql) {
      for (const statement of sql.split(/;\s*\n/)) {
        if (statement.trim() !== "") await connection.run(statement, []);
      }
    },
    isCurrent: changes.isCurrent,
    onChange(listener) {
      listeners.push(listener);
    },
    async close() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
      await commits.drained();
      lookUps.close();
      await changes.close();
      await pool.end();
    },
  };
}
