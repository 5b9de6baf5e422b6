/**
 * Records the profile in which processes use a PostgreSQL database. Processes with different profiles do
 * not notify each other of changes and do not share locks, so a database may be used in only one.
 */
import type { DatabaseProfileName } from "../records/names/names.ts";
import type { Dialect } from "./database/dialect.ts";
import type { Connection, Driver } from "./database/driver.ts";

/** A database that was never used in the profile `serializable` has no table of versions. */
const hasRows = `SELECT count(*) AS found FROM information_schema.tables
  WHERE table_schema = current_schema() AND table_name = 'postern_versions'`;

/** The row after those of `change_versions.ts`; 1 means `serializable`. */
const slot = 65;
const readRow = `SELECT version FROM postern_versions WHERE slot = ${slot}`;
const writeRow = (profile: DatabaseProfileName) => `INSERT INTO postern_versions (slot, version)
  VALUES (${slot}, ${profile === "serializable" ? 1 : 0}) ON CONFLICT (slot) DO UPDATE SET version = excluded.version`;

async function usedProfile(connection: Connection): Promise<DatabaseProfileName> {
  const [rows] = await connection.all(hasRows, []);
  const [row] = Number(rows?.found) > 0 ? await connection.all(readRow, []) : [];
  return Number(row?.version) === 1 ? "serializable" : "native";
}

/** Throws if the database is used in another profile. A database without migrations may be used in any. */
export async function requireProfile(
  connection: Connection,
  { profile }: Dialect,
  applied: ReadonlySet<number>,
): Promise<void> {
  if (profile === undefined) return;
  const used = await usedProfile(connection);
  if (used === profile || (used === "native" && applied.size === 0)) return;
  throw new Error(
    `the database is used in the profile ${used} and this process in ${profile}, which is unsafe: set POSTERN_DATABASE_PROFILE=${used}, ` +
      `or stop every process and run \`postern migrate profile ${profile}\``,
  );
}

/** Records, within the first migration of a database, the profile in which the database is used. */
export async function storeProfile(connection: Connection, { profile }: Dialect): Promise<void> {
  if (profile === "serializable") await connection.run(writeRow(profile), []);
}

/** Assigns the database to this driver's profile. No other process may be running. */
export async function changeProfile(driver: Driver): Promise<void> {
  const { profile, migrationsRow } = driver.dialect;
  if (profile === undefined) return;
  for (const sql of migrationsRow?.make ?? []) await driver.run(sql, []);
  if ((await usedProfile(driver)) !== profile) await driver.run(writeRow(profile), []);
}
