/**
 * Applies migrations, in ascending order and under a lock, so that processes that start together do not
 * conflict.
 */
import { setTimeout as pause } from "node:timers/promises";
import { UnavailableError } from "../errors.ts";
import { migrationsLock } from "../records/names/lock_names.ts";
import type { Connection, Driver } from "./database/driver.ts";
import { lockStatement } from "./database/locks.ts";
import { migrations } from "./migrations/all_migrations.ts";
import type { Migration } from "./migrations/migration.ts";
import { requireProfile, storeProfile } from "./used_profile.ts";

export const newestMigration = Math.max(...migrations.map(({ version }) => version));

export interface MigrationStatus {
  readonly version: number;
  readonly name: string;
  readonly applied: boolean;
}

const makeTable = `CREATE TABLE IF NOT EXISTS postern_migrations (
  version INTEGER NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  applied_at TEXT NOT NULL
)`;

async function appliedVersions(connection: Pick<Connection, "all">): Promise<Set<number>> {
  const rows = await connection.all("SELECT version FROM postern_migrations", []);
  return new Set(rows.map((row) => Number(row.version)));
}

/**
 * PostgreSQL creates tables in the first schema of `search_path`, but finds them in any. If existing tables
 * were in a later schema, new empty tables would hide them.
 */
const schemas = `SELECT current_schema() AS first, (SELECT nspname FROM pg_catalog.pg_namespace
  WHERE oid = (SELECT relnamespace FROM pg_catalog.pg_class WHERE oid = to_regclass('postern_migrations'))) AS used`;

async function requireSchema(driver: Driver): Promise<void> {
  if (driver.dialect.name !== "postgres") return;
  const [{ first, used } = {}] = (await driver.all(schemas, [])) as Record<string, unknown>[];
  if (typeof used !== "string" || used === first) return;
  throw new Error(
    `the tables are in the schema "${used}", but new ones would be created in "${first}", which precedes it in search_path: ` +
      `run ALTER ROLE … SET search_path = ${used}, or drop the schema "${first}"`,
  );
}

const placeQuery = "SELECT current_schema() AS schema, current_user AS role, current_database() AS database";

/**
 * Returns a function that explains the error of an existing table. Queries in advance, because a failed
 * transaction cannot run queries.
 */
async function foreignTables(
  { dialect }: Driver,
  connection: Connection,
): Promise<(error: unknown) => unknown> {
  const [place] = dialect.name === "postgres" ? await connection.all(placeQuery, []) : [];
  return (error) => {
    const [, table] = /^(?:relation|table) "?(\w+)"? already exists/.exec((error as Error).message) ?? [];
    if (table === undefined) return error;
    const sentence =
      place === undefined
        ? `the database file has a table "${table}" of another program: name another file in POSTERN_DATABASE_URL`
        : `the schema "${place.schema}" has a table "${table}" of another program: give this server a schema of ` +
          `its own with CREATE SCHEMA postern AUTHORIZATION "${place.role}" and ALTER ROLE "${place.role}" IN ` +
          `DATABASE "${place.database}" SET search_path = postern, or a database of its own`;
    return new Error(sentence, { cause: error });
  };
}

async function locked<R>(driver: Driver, work: (connection: Connection) => Promise<R>): Promise<R> {
  const row = driver.dialect.migrationsRow;
  await requireSchema(driver);
  if (row !== undefined) {
    // Checked first, so that nothing is created in a database of another profile.
    await requireProfile(driver, driver.dialect, await knownVersions(driver));
    for (const sql of row.make) await driver.run(sql, []);
  }
  return driver.transaction(
    async (connection) => {
      if (row !== undefined) await connection.run(row.hold, []);
      const lock = lockStatement(driver.dialect, [migrationsLock()]);
      if (lock !== undefined) await connection.all(lock.sql, lock.parameters);
      await connection.run(makeTable, []);
      return work(connection);
    },
    { maxWait: 0 },
  );
}

/**
 * Applies the missing migrations up to version `up_to`, and returns them. `within` runs at the end of the
 * same transaction. Throws if the database belongs to another profile or a newer version.
 */
export async function migrate(
  driver: Driver,
  now: Date,
  up_to = Number.POSITIVE_INFINITY,
  within: (connection: Connection) => Promise<void> = async () => {},
): Promise<MigrationStatus[]> {
  const apply = async (connection: Connection) => {
    const applied = await appliedVersions(connection);
    refuseNewer(applied);
    await requireProfile(connection, driver.dialect, applied);
    if (applied.size === 0) await storeProfile(connection, driver.dialect);
    if (driver.dialect.name === "postgres") {
      await connection.run(`SET LOCAL lock_timeout = ${longestWait}`, []);
    }
    const explained =
      applied.size === 0 ? await foreignTables(driver, connection) : (error: unknown) => error;
    const done: MigrationStatus[] = [];
    const numbers = driver.dialect.name === "postgres" ? "$1, $2, $3" : "?, ?, ?";
    for (const { version, name, sql, fill } of migrations) {
      if (applied.has(version) || version > up_to) continue;
      await driver.script(connection, sql(driver.dialect.columnType, driver.dialect.name)).catch((error) => {
        throw explained(error);
      });
      await fill?.(connection, driver.dialect);
      await connection.run(`INSERT INTO postern_migrations (version, name, applied_at) VALUES (${numbers})`, [
        version,
        name,
        now.toISOString(),
      ]);
      done.push({ version, name, applied: true });
    }
    await within(connection);
    return done;
  };
  for (let tries = 1; ; tries += 1) {
    try {
      return await locked(driver, apply);
    } catch (error) {
      if (!(error instanceof UnavailableError && error.code === lockNotAvailable) || tries === mostTries)
        throw error;
      await pause(pauseBetween);
    }
  }
}

/**
 * In milliseconds. While a migration waits for the lock on a table, all other statements on the table wait
 * for the migration, even reads.
 */
const longestWait = 2000;
const lockNotAvailable = "55P03";
/** Milliseconds between two attempts, in which waiting requests run. */
const pauseBetween = 1000;
/** 60 attempts take about three minutes; then `migrate` throws. */
const mostTries = 60;

function refuseNewer(applied: ReadonlySet<number>): void {
  const newest = Math.max(0, ...applied);
  if (newest <= newestMigration) return;
  throw new Error(
    `the database is at version ${newest}, newer than this program's ${newestMigration}: upgrade Postern`,
  );
}

async function knownVersions(driver: Pick<Connection, "all">): Promise<Set<number>> {
  return appliedVersions(driver).catch(async (error) => {
    // The database is reachable but has no migrations table, so no migration was applied.
    await driver.all("SELECT 1 AS one", []);
    if (!/postern_migrations/.test(String(error))) throw error;
    return new Set<number>();
  });
}

/** Returns all known migrations and whether each is applied. */
export async function migrationStatus(driver: Driver): Promise<MigrationStatus[]> {
  const applied = await knownVersions(driver);
  return migrations.map(({ version, name }) => ({ version, name, applied: applied.has(version) }));
}

/** Returns the migrations that the database lacks. Throws if the database belongs to a newer version. */
export async function missingMigrations(
  driver: Pick<Connection, "all">,
): Promise<{ from: number; missing: Migration[] }> {
  const applied = await knownVersions(driver);
  refuseNewer(applied);
  return {
    from: Math.max(0, ...applied),
    missing: migrations.filter(({ version }) => !applied.has(version)),
  };
}
