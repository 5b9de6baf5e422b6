/**
 * A standby server for reads. It is used only if it has everything that the primary had when the request
 * arrived.
 */
import { setTimeout as pause } from "node:timers/promises";
import { postgres } from "../database/dialect.ts";
import type { Connection, Driver } from "../database/driver.ts";
import { connectionTo, type TimedQuery } from "./connection.ts";
import { asUnavailable } from "./errors.ts";
import { type DatabaseLimits, postgresHosts } from "./hosts.ts";
import { postgresPool } from "./pool.ts";

const longestWait = 300;
const step = 10;
const roundTripLimit = 1000;

/** Every confirmed commit is before this position of the primary's log. */
const positionQuery =
  "SELECT system_identifier::text AS cluster, pg_current_wal_flush_lsn()::text AS position FROM pg_control_system()";
const reachedQuery = `SELECT system_identifier::text AS cluster, pg_is_in_recovery() AS in_recovery,
    pg_last_wal_replay_lsn() >= $1::pg_lsn AS reached FROM pg_control_system()`;

export interface Replica {
  readonly driver: Driver;
  /**
   * Resolves when the replica has everything that was committed before the call. Rejects if the replica
   * cannot be used or lags for more than 0.3 seconds.
   */
  catchUp(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Returns a replica of the primary at the first usable of these hosts. `onError` is called for each
 * connection that breaks.
 */
export function openReplica(
  urls: readonly string[],
  primary: Pick<Connection, "first">,
  options: {
    readonly connections: number;
    readonly limits: DatabaseLimits;
    readonly onError: (error: Error) => void;
  },
): Replica {
  const limits = { ...options.limits, connect_timeout: roundTripLimit };
  const hosts = postgresHosts({ urls, target: "standby" }, limits);
  const pool = postgresPool(hosts, options.connections, options.onError);
  const reading = connectionTo(pool, new Map());
  const translated = async <R>(work: Promise<R>): Promise<R> => {
    try {
      return await work;
    } catch (error) {
      throw asUnavailable(error);
    }
  };
  const refused = async (): Promise<never> => {
    throw new TypeError("a replica is only read");
  };

  return {
    driver: {
      dialect: postgres,
      all: (sql, parameters) => translated(reading.all(sql, parameters)),
      first: (sql, parameters) => translated(reading.first(sql, parameters)),
      queryUnprepared: (sql, parameters) => translated(reading.queryUnprepared(sql, parameters)),
      ...{ run: refused, transaction: refused, runBatch: refused, script: refused, proveWritable: refused },
      expectJob: () => () => {},
      connections: pool.load,
      logSize: async () => undefined,
      isCurrent: () => true,
      onChange() {},
      close: refused,
    },
    async catchUp() {
      const requested = await primary.first(positionQuery, []);
      const query: TimedQuery = {
        ...{
          name: "reached",
          text: reachedQuery,
          values: [requested?.position],
          query_timeout: roundTripLimit,
        },
      };
      for (const deadline = performance.now() + longestWait; ; await pause(step)) {
        const [said] = (await translated(pool.query(query))).rows;
        if (said?.cluster !== requested?.cluster) throw new Error("the replica belongs to another primary");
        if (said?.in_recovery !== true) {
          hosts.leave(hosts.current());
          pool.distrust();
          throw new Error("the replica is no longer a standby");
        }
        if (said.reached === true) return;
        if (performance.now() > deadline)
          throw new Error(`the replica is more than ${longestWait} milliseconds behind the primary`);
      }
    },
    close: () => pool.end(),
  };
}
