/** The profiles in which Postern uses PostgreSQL and compatible databases. */
import type { DatabaseProfileName } from "../../records/names/names.ts";
import { type Dialect, postgres, sqlite } from "../database/dialect.ts";
import type { Connection, Driver } from "../database/driver.ts";
import { followVersions, holdMigrations, makeVersions } from "./change_versions.ts";
import { changeChannel, listenForChanges } from "./changes.ts";
import { postgresCommits } from "./commits.ts";
import { repeatedly } from "./conflicts.ts";
import { connectionTo } from "./connection.ts";
import type { PostgresHosts, SessionStart } from "./hosts.ts";
import { postgresLookUps } from "./look_ups.ts";
import type { PostgresPool } from "./pool.ts";
import { serializableTransactions } from "./serializable_transactions.ts";

interface Engine
  extends Connection,
    Pick<Driver, "queryUnprepared" | "runBatch" | "expectJob" | "isCurrent"> {
  transaction<R>(
    work: (connection: Connection) => Promise<R>,
    notice: () => boolean,
    maxWait?: number,
  ): Promise<R>;
  /** Call this only if no statement is running. */
  close(): Promise<void>;
}

interface EngineOptions {
  readonly pool: PostgresPool;
  readonly hosts: PostgresHosts;
  readonly onError: (error: Error) => void;
  readonly forget: () => void;
}

interface DatabaseProfile {
  readonly dialect: Dialect;
  readonly session?: SessionStart;
  open(options: EngineOptions): Promise<Engine>;
}

const native: DatabaseProfile = {
  dialect: postgres,
  async open({ pool, hosts, onError, forget }) {
    const names = new Map<string, string>();
    const all = connectionTo(pool, names);
    const commits = postgresCommits(pool, names);
    const lookUps = postgresLookUps(pool, names);
    const changes = await listenForChanges({ hosts, onError, forget, onLost: pool.distrust });
    return {
      ...all,
      first: lookUps.first,
      transaction: (work, notice, maxWait) =>
        commits.transaction(work, () => (notice() ? `NOTIFY ${changeChannel}` : undefined), maxWait),
      runBatch: commits.runBatch,
      expectJob: commits.expectJob,
      isCurrent: changes.isCurrent,
      async close() {
        await commits.drained();
        lookUps.close();
        await changes.close();
      },
    };
  },
};

/** For databases with serializable transactions but without PostgreSQL's locks and notices. */
const serializable: DatabaseProfile = {
  dialect: {
    ...postgres,
    profile: "serializable",
    chainsChanges: false,
    mergesRows: false,
    lock: () => undefined,
    skipLocked: sqlite.skipLocked,
    migrationsRow: { make: makeVersions, hold: holdMigrations },
    tables: "SELECT count(*) AS found FROM information_schema.tables WHERE table_schema = current_schema()",
  },
  session: {
    // The database may lack PostgreSQL's planner settings.
    planning: `SELECT set_config(name, 'off', false) FROM pg_catalog.pg_settings
      WHERE name IN ('enable_seqscan', 'enable_bitmapscan', 'jit')`,
    // A server that refuses writes counts as a standby, whatever the reason.
    roleQuery: `SELECT current_setting('transaction_read_only') = 'on' AS in_recovery,
      current_setting('transaction_read_only') = 'on' AS read_only`,
  },
  async open({ pool, hosts, onError, forget }) {
    const names = new Map<string, string>();
    const reading = connectionTo(pool, names);
    const lookUps = postgresLookUps(pool, names);
    const versions = await followVersions({ pool, hosts, onError, forget });
    const { transaction, runBatch } = serializableTransactions(pool, names, versions);
    return {
      // Even a single statement may conflict and must then be repeated.
      all: (sql, parameters) => repeatedly(() => reading.all(sql, parameters)),
      first: (sql, parameters) => repeatedly(() => lookUps.first(sql, parameters)),
      run: async (sql, parameters) => (await runBatch([{ sql, parameters }]))[0] ?? 0,
      queryUnprepared: (sql, parameters) => repeatedly(() => reading.queryUnprepared(sql, parameters)),
      transaction,
      runBatch,
      // Transactions do not share a commit, so none waits for announced ones.
      expectJob: () => () => {},
      isCurrent: versions.isCurrent,
      async close() {
        versions.close();
        lookUps.close();
      },
    };
  },
};

export const profiles: Readonly<Record<DatabaseProfileName, DatabaseProfile>> = { native, serializable };
