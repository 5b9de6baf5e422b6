/** Forward-only migrations, run under a lock so that processes starting at once do not collide. */
import { setTimeout as pause } from "node:timers/promises";
import { UnavailableError } from "../errors.ts";
import type { Kind } from "../records/field.ts";
import { migrationsLock } from "../records/lock_names.ts";
import type { Dialect } from "./dialect.ts";
import type { Connection, Driver } from "./driver.ts";
import { firstId } from "./ids.ts";
import { wordKeeper } from "./listing/search_words.ts";
import { lockStatement } from "./locks.ts";
import { records } from "./migrations/0001_records.ts";
import { roomForUpdates } from "./migrations/0002_room_for_updates.ts";
import { management, searchedTables } from "./migrations/0003_management.ts";
import { statisticsAndRefusals } from "./migrations/0004_statistics_and_refusals.ts";
import { invitations } from "./migrations/0005_invitations.ts";
import { givenByAdministrators } from "./migrations/0006_given_by_administrators.ts";
import { fillScopeOwners, scopeOwners } from "./migrations/0007_scope_owners.ts";
import { emailKeysStay, foldEmailKeys } from "./migrations/0008_email_keys.ts";
import { expiringTokens } from "./migrations/0009_expiring_tokens.ts";
import { signingAlgorithmOfKeys } from "./migrations/0010_signing_algorithms.ts";
import { carryMembersOver, membersOfApps } from "./migrations/0011_members_of_apps.ts";
import { clientAssertionAudience } from "./migrations/0012_client_assertion_audience.ts";
import { requiredPushes } from "./migrations/0013_required_pushes.ts";
import { boundTokens } from "./migrations/0014_bound_tokens.ts";
import { boundRefreshTokens } from "./migrations/0015_bound_refresh_tokens.ts";
import { provenanceOfApps } from "./migrations/0016_provenance_of_apps.ts";
import { carryResourcesOver, resourceRecords } from "./migrations/0017_resources.ts";
import { localhostAnyPort } from "./migrations/0018_localhost_any_port.ts";
import { registrationsOfClients } from "./migrations/0019_registrations_of_clients.ts";
import { profilesOfApps } from "./migrations/0020_profiles_of_apps.ts";
import { clientDocuments } from "./migrations/0021_client_documents.ts";
import { consentsByResource } from "./migrations/0022_consents_by_resource.ts";
import { waysIn } from "./migrations/0023_ways_in.ts";
import { mailedInvitations } from "./migrations/0027_mailed_invitations.ts";
import { providersOfLinks } from "./migrations/0029_providers_of_links.ts";
import { lostFactors } from "./migrations/0031_lost_factors.ts";
import { recoveries } from "./migrations/0033_recoveries.ts";
import { languagesOfUsers } from "./migrations/0035_languages_of_users.ts";
import { waitingWork } from "./migrations/0036_waiting_work.ts";
import { listOrders } from "./migrations/0037_list_orders.ts";
import { lostPasskeys } from "./migrations/0040_lost_passkeys.ts";
import { rowDecoder } from "./statement.ts";

interface Migration {
  readonly version: number;
  readonly name: string;
  /**
   * The statements, each ended by a semicolon at the end of a line, for a database of this kind with these
   * column types.
   */
  readonly sql: (columnType: Readonly<Record<Kind, string>>, database: Dialect["name"]) => string;
  /** What only code can do to the rows that exist; called when the statements have run. */
  readonly fill?: (connection: Connection, dialect: Dialect) => Promise<void>;
}

const rowsAtOnce = 1000;

/** Gives the records that were there before there were search words theirs. */
async function fillWords(connection: Connection, dialect: Dialect): Promise<void> {
  const keeper = wordKeeper(dialect);
  const [first, second] = dialect.name === "postgres" ? ["$1", "$2"] : ["?", "?"];
  for (const table of searchedTables) {
    const decode = rowDecoder<{ readonly id: string }>(dialect, table);
    let after = firstId;
    for (;;) {
      const rows = await connection.all(
        `SELECT * FROM ${table} WHERE id > ${first} ORDER BY id LIMIT ${second}`,
        [dialect.encode("uuid", after), rowsAtOnce],
      );
      const decoded = rows.map(decode);
      await keeper.add(connection, table, decoded);
      after = decoded.at(-1)?.id ?? after;
      if (rows.length < rowsAtOnce) break;
    }
  }
}

const migrations: readonly Migration[] = [
  { version: 1, name: "records", sql: records },
  { version: 2, name: "room_for_updates", sql: roomForUpdates },
  { version: 3, name: "management", sql: management, fill: fillWords },
  { version: 4, name: "statistics_and_refusals", sql: statisticsAndRefusals },
  { version: 5, name: "invitations", sql: invitations },
  { version: 6, name: "given_by_administrators", sql: givenByAdministrators },
  { version: 7, name: "scope_owners", sql: scopeOwners, fill: fillScopeOwners },
  { version: 8, name: "email_keys", sql: emailKeysStay, fill: foldEmailKeys },
  { version: 9, name: "expiring_tokens", sql: expiringTokens },
  { version: 10, name: "signing_algorithms", sql: signingAlgorithmOfKeys },
  { version: 11, name: "members_of_apps", sql: membersOfApps, fill: carryMembersOver },
  { version: 12, name: "client_assertion_audience", sql: clientAssertionAudience },
  { version: 13, name: "required_pushes", sql: requiredPushes },
  { version: 14, name: "bound_tokens", sql: boundTokens },
  { version: 15, name: "bound_refresh_tokens", sql: boundRefreshTokens },
  { version: 16, name: "provenance_of_apps", sql: provenanceOfApps },
  { version: 17, name: "resources", sql: resourceRecords, fill: carryResourcesOver },
  { version: 18, name: "localhost_any_port", sql: localhostAnyPort },
  { version: 19, name: "registrations_of_clients", sql: registrationsOfClients },
  { version: 20, name: "profiles_of_apps", sql: profilesOfApps },
  { version: 21, name: "client_documents", sql: clientDocuments },
  { version: 22, name: "consents_by_resource", sql: consentsByResource },
  { version: 23, name: "ways_in", sql: waysIn },
  { version: 27, name: "mailed_invitations", sql: mailedInvitations },
  { version: 29, name: "providers_of_links", sql: providersOfLinks },
  { version: 31, name: "lost_factors", sql: lostFactors },
  { version: 33, name: "recoveries", sql: recoveries },
  { version: 35, name: "languages_of_users", sql: languagesOfUsers },
  { version: 36, name: "waiting_work", sql: waitingWork },
  { version: 37, name: "list_orders", sql: listOrders },
  { version: 40, name: "lost_passkeys", sql: lostPasskeys },
];

/** The version of this program's tables. */
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

async function appliedVersions(connection: Connection): Promise<Set<number>> {
  const rows = await connection.all("SELECT version FROM postern_migrations", []);
  return new Set(rows.map((row) => Number(row.version)));
}

async function locked<R>(driver: Driver, work: (connection: Connection) => Promise<R>): Promise<R> {
  return driver.transaction(
    async (connection) => {
      const lock = lockStatement(driver.dialect, [migrationsLock()]);
      if (lock !== undefined) await connection.all(lock.sql, lock.parameters);
      await connection.run(makeTable, []);
      return work(connection);
    },
    { maxWait: 0 },
  );
}

/**
 * Brings the database to this version's tables, or to those of an earlier one, and answers what was applied
 * now. Throws when the database is newer than this program: forward-only means that an older program does not
 * touch it.
 */
export async function migrate(
  driver: Driver,
  now: Date,
  up_to = Number.POSITIVE_INFINITY,
): Promise<MigrationStatus[]> {
  const apply = async (connection: Connection) => {
    const applied = await appliedVersions(connection);
    const newest = Math.max(0, ...applied);
    const known = migrations.at(-1)?.version ?? 0;
    if (newest > known) {
      throw new Error(
        `the database is at version ${newest}, newer than this program's ${known}: upgrade Postern`,
      );
    }
    if (driver.dialect.name === "postgres") {
      await connection.run(`SET LOCAL lock_timeout = ${longestWait}`, []);
    }
    const done: MigrationStatus[] = [];
    const numbers = driver.dialect.name === "postgres" ? "$1, $2, $3" : "?, ?, ?";
    for (const { version, name, sql, fill } of migrations) {
      if (applied.has(version) || version > up_to) continue;
      await driver.script(connection, sql(driver.dialect.columnType, driver.dialect.name));
      await fill?.(connection, driver.dialect);
      await connection.run(`INSERT INTO postern_migrations (version, name, applied_at) VALUES (${numbers})`, [
        version,
        name,
        now.toISOString(),
      ]);
      done.push({ version, name, applied: true });
    }
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
 * Milliseconds that a migration waits for a table that somebody reads at length, as a backup does. Other
 * requests for the table queue up behind it, also those that only read.
 */
const longestWait = 2000;
/** PostgreSQL, appendix A: the lock_timeout has passed. */
const lockNotAvailable = "55P03";
/** Milliseconds in which those who waited get their turn. */
const pauseBetween = 1000;
/** After three minutes the start of the server, or the operator, decides. */
const mostTries = 60;

/**
 * Every migration this program knows, and whether the database has it. Changes nothing and waits for nobody.
 */
export async function migrationStatus(driver: Driver): Promise<MigrationStatus[]> {
  const applied = await appliedVersions(driver).catch(async (error) => {
    // A database that answers but has no such table is an empty one.
    await driver.all("SELECT 1 AS one", []);
    if (!/postern_migrations/.test(String(error))) throw error;
    return new Set<number>();
  });
  return migrations.map(({ version, name }) => ({ version, name, applied: applied.has(version) }));
}
