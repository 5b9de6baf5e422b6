/**
 * Detects changes by other processes without LISTEN and NOTIFY. Each change of a cached record increments a
 * version row, which every process polls.
 */
import type { Connection } from "../database/driver.ts";
import type { PostgresError, TimedQuery } from "./connection.ts";
import { asUnavailable } from "./errors.ts";
import type { PostgresHosts, Role } from "./hosts.ts";
import type { PostgresPool } from "./pool.ts";

const pollInterval = 300;
/** Milliseconds without a successful poll after which cached records are not used. */
const pollLimit = 1000;
/** In milliseconds. */
const roundTripLimit = 2000;
/** In milliseconds. */
const complaintInterval = 10_000;
/** undefined_table: the tables have not been created yet. */
const noSuchTable = "42P01";

/** More than the connections of a pool, so that concurrent changes rarely use the same row. */
const slots = 64;

const migrationsSlot = slots;

/** The statements run in separate transactions. */
export const makeVersions: readonly string[] = [
  "CREATE TABLE IF NOT EXISTS postern_versions (slot INTEGER NOT NULL PRIMARY KEY, version BIGINT NOT NULL)",
  `INSERT INTO postern_versions (slot, version) VALUES ${Array.from(
    { length: slots + 1 },
    (_, slot) => `(${slot}, 0)`,
  ).join(", ")} ON CONFLICT (slot) DO NOTHING`,
];

/**
 * If two processes run this statement concurrently, the transaction of one is repeated after the other has
 * committed.
 */
export const holdMigrations = `UPDATE postern_versions SET version = version + 1 WHERE slot = ${migrationsSlot}`;

const bumpSlot = "UPDATE postern_versions SET version = version + 1 WHERE slot = $1 RETURNING version";
const readAll = `SELECT slot, version FROM postern_versions WHERE slot < ${slots}`;

export interface ChangeVersions {
  /** After the transaction, call the returned function; pass true if the transaction was committed. */
  bump(connection: Connection): Promise<(committed: boolean) => void>;
  /** False if this process may have missed a change by another process. */
  isCurrent(): boolean;
  close(): void;
}

/**
 * Calls `forget` when another process may have changed a cached record. Throws if the database is unavailable
 * at startup; later, it retries.
 */
export async function followVersions(options: {
  readonly pool: PostgresPool;
  readonly hosts: PostgresHosts;
  readonly forget: () => void;
  readonly onError: (error: Error) => void;
}): Promise<ChangeVersions> {
  const { pool, hosts, forget, onError } = options;
  const known = new Map<number, { readonly version: number; readonly raisedAt: number }>();
  const taken = new Set<number>();
  let missed = false;
  let readAt = Number.NEGATIVE_INFINITY;
  let complainedAt = Number.NEGATIVE_INFINITY;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const ask = async (text: string) => {
    const query: TimedQuery = { text, query_timeout: roundTripLimit };
    return (await pool.query(query)).rows as Record<string, unknown>[];
  };

  async function read(): Promise<void> {
    const requestedAt = performance.now();
    const rows = await ask(readAll);
    let isOther = missed;
    for (const row of rows) {
      const [slot, version] = [Number(row.slot), Number(row.version)];
      const last = known.get(slot);
      if (last?.version === version) continue;
      // If this process incremented the version after the query was sent, a lower number is outdated. In any
      // other case, it means that the database lost commits.
      if (last !== undefined && version < last.version && last.raisedAt > requestedAt) continue;
      known.set(slot, { version, raisedAt: Number.NEGATIVE_INFINITY });
      isOther = true;
    }
    if (isOther || requestedAt - readAt > pollLimit) forget();
    missed = false;
    readAt = requestedAt;
  }

  async function look(): Promise<void> {
    hosts.require((await ask(hosts.roleQuery))[0] as unknown as Role);
    try {
      await read();
    } catch (error) {
      if ((error as PostgresError).code !== noSuchTable) throw error;
    }
  }

  function schedule(): void {
    timer = setTimeout(async () => {
      try {
        await look();
        complainedAt = Number.NEGATIVE_INFINITY;
      } catch (error) {
        missed = true;
        if (!closed && performance.now() - complainedAt > complaintInterval) {
          complainedAt = performance.now();
          onError(asUnavailable(error) as Error);
        }
      }
      if (!closed) schedule();
    }, pollInterval);
    timer.unref();
  }

  await look();
  schedule();
  return {
    async bump(connection) {
      const free = Array.from({ length: slots }, (_, slot) => slot).filter((slot) => !taken.has(slot));
      const slot = free[Math.floor(Math.random() * free.length)] ?? 0;
      taken.add(slot);
      const row = await connection.first(bumpSlot, [slot]).catch((error: unknown) => {
        taken.delete(slot);
        throw error;
      });
      const version = Number(row?.version);
      return (committed) => {
        taken.delete(slot);
        if (!committed) return;
        // If another process incremented the version too, the next poll must detect it.
        if (known.get(slot)?.version === version - 1)
          known.set(slot, { version, raisedAt: performance.now() });
      };
    },
    isCurrent: () => performance.now() - readAt < pollLimit,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
