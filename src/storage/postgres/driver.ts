/** The driver for PostgreSQL and compatible databases. */
import { UnavailableError } from "../../errors.ts";
import type { DatabaseProfileName } from "../../records/names/names.ts";
import type { Driver, PreparedStatement } from "../database/driver.ts";
import { asUnavailable } from "./errors.ts";
import {
  type DatabaseLimits,
  type PostgresAddress,
  patientLimits,
  postgresHosts,
  type Role,
} from "./hosts.ts";
import { postgresPool } from "./pool.ts";
import { profiles } from "./profile.ts";
import { standingRefusal } from "./standing_refusal.ts";

/**
 * Opens a pool. `onError` is called for each connection that breaks. Throws an UnavailableError if the
 * database is unavailable.
 */
export async function openPostgres(
  address: string | PostgresAddress,
  options: {
    connections?: number;
    limits?: DatabaseLimits | undefined;
    onError?: (error: Error) => void;
    profile?: DatabaseProfileName | undefined;
  } = {},
): Promise<Driver> {
  const onError = options.onError ?? (() => {});
  const profile = profiles[options.profile ?? "native"];
  const hosts = postgresHosts(
    typeof address === "string" ? { urls: [address], target: "any" } : address,
    options.limits ?? patientLimits,
    profile.session,
  );
  const pool = postgresPool(hosts, options.connections ?? 16, onError);
  const listeners: (() => void)[] = [];
  const forget = () => {
    for (const listener of listeners) listener();
  };
  const engine = await profile.open({ pool, hosts, onError, forget }).catch(async (error) => {
    await pool.end();
    throw asUnavailable(error);
  });

  /** A closing pool rejects waiting callers, so `close` waits for them first. */
  const underWay = new Set<Promise<unknown>>();
  const refusal = standingRefusal(pool);
  function tracked<R>(work: Promise<R>, statements?: readonly PreparedStatement[]): Promise<R> {
    const promise = work.catch((error) => {
      if (statements !== undefined) refusal.note(error, statements);
      throw asUnavailable(error);
    });
    const done = () => underWay.delete(promise);
    underWay.add(promise);
    promise.then(done, done);
    return promise;
  }

  return {
    dialect: profile.dialect,
    all: (sql, parameters) => tracked(engine.all(sql, parameters), [{ sql, parameters }]),
    queryUnprepared: (text, values) => tracked(engine.queryUnprepared(text, values)),
    first: (sql, parameters) => tracked(engine.first(sql, parameters), [{ sql, parameters }]),
    run: (sql, parameters) => tracked(engine.run(sql, parameters), [{ sql, parameters }]),
    transaction: (work, { notice = () => false, maxWait } = {}) =>
      tracked(engine.transaction((connection) => work(refusal.watching(connection)), notice, maxWait)),
    runBatch: (statements) => tracked(engine.runBatch(statements), statements),
    expectJob: engine.expectJob,
    async script(connection, sql) {
      for (const statement of sql.split(/;\s*\n/)) {
        if (statement.trim() !== "") await connection.run(statement, []);
      }
    },
    async proveWritable() {
      hosts.require(await tracked(pool.query({ text: hosts.roleQuery }).then(({ rows }) => rows[0] as Role)));
      if (hosts.readOnly()) {
        throw new UnavailableError("read_only", "the database accepts no writes", { code: "25006" });
      }
      await tracked(refusal.prove());
    },
    connections: pool.load,
    logSize: async () => undefined,
    isCurrent: engine.isCurrent,
    onChange(listener) {
      listeners.push(listener);
    },
    async close() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
      await engine.close();
      await pool.end();
    },
  };
}
