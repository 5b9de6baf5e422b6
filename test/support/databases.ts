/** SQLite and PostgreSQL as test databases, so every test of storage runs on each of them. */
import { join } from "node:path";
import { describe } from "node:test";
import type { Driver } from "../../src/storage/database/driver.ts";
import { openPostgres } from "../../src/storage/postgres/driver.ts";
import { patientLimits } from "../../src/storage/postgres/hosts.ts";
import { openSqlite } from "../../src/storage/sqlite/driver.ts";
import { type DatabaseAddress, openStore, type Store, type StoreOptions } from "../../src/storage/store.ts";
import { atEnd } from "./at_end.ts";
import { conflictingProxy } from "./conflicting_proxy.ts";
import { inForm } from "./form.ts";
import { leave, takeLeft } from "./left_databases.ts";
import { postgresDatabase } from "./postgres.ts";
import { templateVariable } from "./postgres_template.ts";
import { profileVariable } from "./profile_files.ts";
import { putTables } from "./sqlite_template.ts";
import { withSites } from "./statement_sites.ts";
import { quickFolder, temporaryFolder } from "./temp.ts";

export interface TestDatabase {
  readonly name: "SQLite" | "PostgreSQL";
  /** The label in test titles: the name of the database, and its profile unless it is the native one. */
  readonly title: string;
  /** Creates an empty database for the caller alone, and returns its address. */
  address(): Promise<DatabaseAddress>;
  /** Creates a database with tables and no records, and returns its address for several stores. */
  tables(): Promise<DatabaseAddress>;
  /** Opens a store on a new database with tables. */
  open(options?: StoreOptions): Promise<Store>;
}

/**
 * Opens a store that is closed when the tests of this file have ended, before its database is dropped, unless
 * the test closes it earlier.
 */
export async function openStoreAt(address: DatabaseAddress, options: StoreOptions = {}): Promise<Store> {
  const store = await openStore(address, {
    connections: 8,
    // Many concurrent connections take longer on a busy machine, and when the proxy retries.
    ...(address.kind === "postgres" && { limits: { ...patientLimits, connect_timeout: 60_000 } }),
    ...options,
    around: (driver) => withSites(options.around?.(driver) ?? driver),
  });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= store.close();
    return closing;
  };
  atEnd(close);
  return { ...store, close };
}

/** Opens only the driver, for tests of statements. */
export async function openDriver(address: DatabaseAddress): Promise<Driver> {
  return address.kind === "sqlite"
    ? openSqlite(address.path)
    : openPostgres(address.url, { profile: address.profile });
}

function testDatabase(
  name: TestDatabase["name"],
  { empty, withTables }: Record<"empty" | "withTables", () => Promise<DatabaseAddress>>,
  title: string = name,
): TestDatabase {
  const open = async (address: DatabaseAddress, options?: StoreOptions) => {
    const store = await openStoreAt(address, options);
    await store.migrate(new Date());
    return store;
  };
  return {
    name,
    title,
    address: empty,
    async tables() {
      const address = await withTables();
      if (process.env[templateVariable] === undefined) await (await open(address)).close();
      return address;
    },
    open: async (options) => open(await withTables(), options),
  };
}

/** Deletes every record, for a test of whole tables. */
export async function removeEverything(store: Store): Promise<void> {
  // Users are deleted after the records that refer to them; the rest cascades.
  const roots = [
    "oauth_apps",
    "organizations",
    "users",
    "signing_keys",
    "ephemera",
    "audit_events",
    "refusals",
    "statistics",
    "events",
  ] as const;
  for (const table of roots) await store.remove(table, {});
}

function newSqlitePath(): string {
  return join(temporaryFolder(quickFolder()), "postern.db");
}

async function copiedSqlite(): Promise<DatabaseAddress> {
  const path = newSqlitePath();
  putTables(path);
  return { kind: "sqlite", path };
}

async function newPostgres(): Promise<DatabaseAddress> {
  const { url, drop } = await postgresDatabase();
  atEnd(drop);
  return { kind: "postgres", url };
}

async function copiedPostgres(): Promise<DatabaseAddress> {
  const database = takeLeft() ?? (await postgresDatabase(process.env[templateVariable]));
  atEnd(() => leave(database));
  return { kind: "postgres", url: database.url };
}

let proxies = 0;

/** Changes a database from the native profile to the serializable one. */
export async function useInProfile(url: string): Promise<void> {
  const store = await openStore({ kind: "postgres", url, profile: "serializable" }, { connections: 1 });
  try {
    await store.changeProfile();
  } finally {
    await store.close();
  }
}

/**
 * Creates a database in which every transaction is serializable, behind a proxy that makes some of them
 * repeat.
 */
async function newSerializable(template?: string): Promise<DatabaseAddress> {
  const { url, drop } = await postgresDatabase(template, { default_transaction_isolation: "serializable" });
  atEnd(drop);
  if (template !== undefined) await useInProfile(url);
  proxies += 1;
  const proxy = await conflictingProxy(url, { seed: proxies, share: 0.15 });
  atEnd(proxy.close);
  return { kind: "postgres", url: proxy.url, profile: "serializable" };
}

/** PostgreSQL restricted to the features of distributed databases (docs/decisions/storage.md). */
export const serializable: TestDatabase = testDatabase(
  "PostgreSQL",
  {
    empty: () => newSerializable(),
    withTables: () => newSerializable(process.env[templateVariable]),
  },
  "PostgreSQL in the serializable profile",
);

const both: readonly TestDatabase[] = [
  testDatabase("SQLite", {
    empty: async () => ({ kind: "sqlite", path: newSqlitePath() }),
    withTables: copiedSqlite,
  }),
  testDatabase("PostgreSQL", {
    empty: newPostgres,
    withTables: copiedPostgres,
  }),
];

/** Every database: for tests of the storage, and for properties of races, liveness and ownership. */
export const databases: readonly TestDatabase[] =
  process.env[profileVariable] === "serializable" ? [serializable] : both;

/**
 * For tests of the layers above the storage: every database in the long form, and only the first one in the
 * short form. `test/storage` shows that the databases behave the same.
 */
export const databasesInForm: readonly TestDatabase[] = inForm(databases.slice(0, 1), databases);

/** Declares a suite of a layer above the storage, for each database of the form. */
export function describeInForm(what: string, tests: (database: TestDatabase) => void): void {
  for (const database of databasesInForm) describe(`${what} on ${database.name}`, () => tests(database));
}

/** For differences between the profiles: the databases, and PostgreSQL in the serializable profile. */
export const everyDatabase: readonly TestDatabase[] = [...new Set([...databases, serializable])];

/**
 * The same for slow tests: the serializable profile only in the long form, and in `npm run
 * test:serializable`.
 */
export const everyDatabaseInForm: readonly TestDatabase[] = inForm(databases, everyDatabase);
