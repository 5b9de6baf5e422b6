/**
 * Processes of different profiles neither share locks nor notify each other, so a database stores the profile
 * that all must use.
 */
import type { DatabaseProfileName } from "../records/names/names.ts";
import type { Dialect } from "./database/dialect.ts";
import type { Connection, Driver } from "./database/driver.ts";

/** The table exists only in databases that have used the profile `serializable`. */
const hasRows = `SELECT count(*) AS found FROM information_schema.tables
  WHERE table_schema = current_schema() AND table_name = 'postern_versions'`;

/** The row after those of `change_versions.ts`. In this row, version 1 means `serializable`. */
const slot = 65;
const readRow = `SELECT version FROM postern_versions WHERE slot = ${slot}`;
const writeRow = (profile: DatabaseProfileName) => `INSERT INTO postern_versions (slot, version)
  VALUES (${slot}, ${profile === "serializable" ? 1 : 0}) ON CONFLICT (slot) DO UPDATE SET version = excluded.version`;

async function usedProfile(connection: Connection): Promise<DatabaseProfileName> {
  const [rows] = await connection.all(hasRows, []);
  const [row] = Number(rows?.found) > 0 ? await connection.all(readRow, []) : [];
  return Number(row?.version) === 1 ? "serializable" : "native";
}

/** Throws if the database belongs to another profile. A database without migrations has no profile yet. */
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

/** Stores the profile of a new database. The profile `native` needs no row. */
export async function storeProfile(connection: Connection, { profile }: Dialect): Promise<void> {
  if (profile === "serializable") await connection.run(writeRow(profile), []);
}

/** Changes the profile of a database, which no other process may use meanwhile. */
export async function changeProfile(driver: Driver): Promise<void> {
  const { profile, migrationsRow } = driver.dialect;
  if (profile === undefined) return;
  for (const sql of migrationsRow?.make ?? []) await driver.run(sql, []);
  if ((await usedProfile(driver)) !== profile) await driver.run(writeRow(profile), []);
}
