/**
 * Copies a database into an empty SQLite or PostgreSQL database in one transaction, so that an interrupted
 * copy leaves the target empty.
 */
import { setTimeout as pause } from "node:timers/promises";
import { migrationsLock } from "../../records/names/lock_names.ts";
import { sqlite } from "../database/dialect.ts";
import type { Connection, Driver } from "../database/driver.ts";
import { lockStatement } from "../database/locks.ts";
import { migrate, missingMigrations, newestMigration } from "../migrations.ts";
import { sqliteFault, takeSqlite } from "../sqlite/file.ts";
import { type DatabaseAddress, openDriver } from "../store.ts";
import { type CopyEnd, copyRows, readerOf, tablesInOrder } from "./rows.ts";

export interface CopySource {
  read<R>(work: (from: CopyEnd) => Promise<R>): Promise<R>;
  close(): Promise<void>;
}

type PostgresAddress = Extract<DatabaseAddress, { kind: "postgres" }>;

const ownName = "postern migrate copy";

/** Returns the address with an `application_name` that identifies the connections of the copying process. */
export function namedAddress<A extends DatabaseAddress>(address: A): A {
  if (address.kind === "sqlite") return address;
  const named = (text: string) => {
    const url = new URL(text);
    url.searchParams.set("application_name", ownName);
    return url.href;
  };
  const { url, further_urls } = address as PostgresAddress;
  return { ...address, url: named(url), ...(further_urls && { further_urls: further_urls.map(named) }) };
}

const others = `SELECT count(*) AS found FROM pg_catalog.pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND application_name <> '${ownName}'`;

/**
 * PostgreSQL lists a connection for a moment after it was closed, so the check for other connections is
 * repeated.
 */
const looks = 20;
const pauseBetween = 100;

async function requireAlone(driver: Driver, which: string): Promise<void> {
  for (let look = 1; ; look += 1) {
    const [row] = await driver.queryUnprepared(others, []);
    const found = Number(row?.found);
    if (found === 0) return;
    if (look === looks) throw new Error(`${which} is in use: ${inUse(found)}`);
    await pause(pauseBetween);
  }
}

const inUse = (connections: number) =>
  `first stop the server, and close every other connection to it (${connections} now)`;

/**
 * Opens a database for copying, and throws if it has no Postern tables or those of another version. If
 * another program uses the database, this function (SQLite) or `read` (PostgreSQL) throws.
 */
export async function openSource(address: DatabaseAddress): Promise<CopySource> {
  const { source, questions } =
    address.kind === "sqlite" ? sqliteSource(address.path) : await postgresSource(address);
  try {
    await requireCurrent(questions);
    return source;
  } catch (error) {
    await source.close();
    throw error;
  }
}

interface OpenedSource {
  readonly source: CopySource;
  /** Queries outside the transaction, which a query of a missing table would abort. */
  readonly questions: Pick<Connection, "all">;
}

async function requireCurrent(connection: Pick<Connection, "all">): Promise<void> {
  const { from, missing } = await missingMigrations(connection);
  if (missing.length === 0) return;
  throw new Error(
    from === 0
      ? "the database has no Postern tables: there is nothing to copy"
      : `the database is at version ${from}, but this program needs version ${newestMigration}: run \`postern migrate up\` on it first`,
  );
}

function sqliteSource(path: string): OpenedSource {
  const takeover = takeSqlite(path);
  if (takeover.state !== "taken") {
    throw new Error(
      takeover.state === "held"
        ? `${path} is in use: first stop the server and every other program that has it open`
        : `${path} ${sqliteFault(path)?.sentence ?? "cannot be read: it is damaged or not a database"}`,
    );
  }
  const { connection, release } = takeover;
  const source: CopySource = {
    read: (work) => work({ connection, dialect: sqlite }),
    async close() {
      release();
    },
  };
  return { source, questions: connection };
}

async function postgresSource(address: PostgresAddress): Promise<OpenedSource> {
  const driver = await openDriver(namedAddress(address));
  const { dialect } = driver;
  const source: CopySource = {
    async read(work) {
      await requireAlone(driver, "the database to copy");
      return driver.transaction(
        async (connection) => {
          // Without a lock statement (profile `serializable`), the transaction reads a consistent snapshot
          // without locks.
          const lock = lockStatement(dialect, [migrationsLock()]);
          if (lock !== undefined) {
            await connection.all(lock.sql, lock.parameters);
            await connection.run(`LOCK TABLE ${tablesInOrder().join(", ")} IN SHARE MODE`, []);
          }
          return work({ connection, dialect });
        },
        { maxWait: 0 },
      );
    },
    close: driver.close,
  };
  return { source, questions: driver };
}

async function requireEmpty(driver: Driver): Promise<void> {
  const { from, missing } = await missingMigrations(driver);
  if (from === 0) return;
  if (missing.length > 0)
    throw new Error(`the target is a Postern database at version ${from}: copy into an empty database`);
  await requireNoRows({ connection: driver, dialect: driver.dialect });
}

async function requireNoRows(to: CopyEnd): Promise<void> {
  const target = readerOf(to);
  for (const table of tablesInOrder()) {
    if ((await target.list(table, {}, { limit: 1 })).length === 0) continue;
    throw new Error(`the target already has rows (${table}): copy into an empty database`);
  }
}

/**
 * Creates the tables in an empty database and copies every row, in one transaction. Returns the number of
 * rows per table. Throws if the target is not empty or, on PostgreSQL, has other connections.
 */
export async function copyInto(
  source: CopySource,
  target: Driver,
  { now, onRows }: { now: Date; onRows: Parameters<typeof copyRows>[2] },
): Promise<Readonly<Record<string, number>>> {
  if (target.dialect.name === "postgres") await requireAlone(target, "the target");
  await requireEmpty(target);
  return source.read(async (from) => {
    let counts: Readonly<Record<string, number>> = {};
    await migrate(target, now, undefined, async (connection) => {
      const to = { connection, dialect: target.dialect };
      // Checks again under the lock, because another process may have written rows in the meantime.
      await requireNoRows(to);
      counts = await copyRows(from, to, onRows);
    });
    return counts;
  });
}
