/**
 * PostgreSQL through `pg`: a pool, prepared statements, and one connection that listens for other processes'
 * changes.
 */
import { v4 as randomId } from "uuid";
import { UnavailableError } from "../../errors.ts";
import { postgres } from "../dialect.ts";
import type { Driver } from "../driver.ts";
import { changeChannel, listenForChanges } from "./changes.ts";
import { postgresCommits } from "./commits.ts";
import { connectionTo } from "./connection.ts";
import { asUnavailable } from "./errors.ts";
import {
  type DatabaseLimits,
  type PostgresAddress,
  patientLimits,
  postgresHosts,
  type Role,
  roleQuery,
} from "./hosts.ts";
import { postgresLookUps } from "./look_ups.ts";
import { postgresPool } from "./pool.ts";

/**
 * Opens a pool to the database; `connections` is its size. `onError` hears of every connection that breaks.
 * Throws `UnavailableError` when the database cannot be used now.
 */
export async function openPostgres(
  address: string | PostgresAddress,
  options: {
    connections?: number;
    limits?: DatabaseLimits | undefined;
    onError?: (error: Error) => void;
  } = {},
): Promise<Driver> {
  const onError = options.onError ?? (() => {});
  const hosts = postgresHosts(
    typeof address === "string" ? { urls: [address], target: "any" } : address,
    options.limits ?? patientLimits,
  );
  const pool = postgresPool(hosts, options.connections ?? 16, onError);
  const self = randomId();
  const names = new Map<string, string>();
  const all = connectionTo(pool, names);
  const commits = postgresCommits(pool, names);
  const lookUps = postgresLookUps(pool, names);
  const listeners: (() => void)[] = [];
  const changes = await listenForChanges({
    hosts,
    self,
    onError,
    forget() {
      for (const listener of listeners) listener();
    },
    onLost: pool.distrust,
  }).catch(async (error) => {
    await pool.end();
    throw asUnavailable(error);
  });

  /** The pool forgets the waiting callers when it ends, so closing waits for them first. */
  const underWay = new Set<Promise<unknown>>();
  function tracked<R>(work: Promise<R>): Promise<R> {
    const promise = work.catch((error) => {
      throw asUnavailable(error);
    });
    const done = () => underWay.delete(promise);
    underWay.add(promise);
    promise.then(done, done);
    return promise;
  }

  return {
    dialect: postgres,
    all: (sql, parameters) => tracked(all.all(sql, parameters)),
    queryUnprepared: (text, values) =>
      tracked(pool.query({ text, values: values as unknown[] }).then(({ rows }) => rows)),
    first: (sql, parameters) => tracked(lookUps.first(sql, parameters)),
    run: (sql, parameters) => tracked(all.run(sql, parameters)),
    transaction: (work, { notice = () => false, maxWait } = {}) =>
      tracked(
        commits.transaction(
          work,
          () => (notice() ? `NOTIFY ${changeChannel}, '${self}'` : undefined),
          maxWait,
        ),
      ),
    runBatch: (statements) => tracked(commits.runBatch(statements)),
    expectJob: commits.expectJob,
    async script(connection, sql) {
      for (const statement of sql.split(/;\s*\n/)) {
        if (statement.trim() !== "") await connection.run(statement, []);
      }
    },
    async proveWritable() {
      hosts.require(await tracked(pool.query({ text: roleQuery }).then(({ rows }) => rows[0] as Role)));
      if (hosts.readOnly()) {
        throw new UnavailableError("read_only", "the database takes no writes", { code: "25006" });
      }
    },
    connections: pool.load,
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
