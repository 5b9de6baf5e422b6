/** Both databases, so that whatever a test says of storage is said of each of them. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { type DatabaseAddress, openStore, type Store, type StoreOptions } from "../../src/storage/store.ts";
import { atEnd } from "./at_end.ts";
import { postgresDatabase } from "./postgres.ts";
import { templateVariable } from "./postgres_template.ts";
import { quickFolder, temporaryFolder } from "./temp.ts";

export interface TestDatabase {
  readonly name: "SQLite" | "PostgreSQL";
  /** Where a new, empty database is, of the caller's own. */
  address(): Promise<DatabaseAddress>;
  /** A store on a new database that has its tables. */
  open(): Promise<Store>;
}

/**
 * Opens a store that is closed when the tests of this file have ended, unless it was closed before; that is
 * before its database is dropped.
 */
export async function openStoreAt(address: DatabaseAddress, options: StoreOptions = {}): Promise<Store> {
  const store = await openStore(address, { connections: 8, ...options });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= store.close();
    return closing;
  };
  atEnd(close);
  return { ...store, close };
}

function testDatabase(
  name: TestDatabase["name"],
  { empty, withTables }: Record<"empty" | "withTables", () => Promise<DatabaseAddress>>,
): TestDatabase {
  return {
    name,
    address: empty,
    async open() {
      const store = await openStoreAt(await withTables());
      await store.migrate(new Date());
      return store;
    },
  };
}

/** Removes every record, for a test that looks at whole tables. */
export async function removeEverything(store: Store): Promise<void> {
  // Users come after what refers to its maker; the rest goes with what it refers to.
  const roots = [
    "oauth_apps",
    "organizations",
    "users",
    "signing_keys",
    "ephemera",
    "audit_events",
    "refusals",
    "statistics",
  ] as const;
  for (const table of roots) await store.remove(table, {});
}

function newSqlitePath(): string {
  return join(temporaryFolder(quickFolder()), "postern.db");
}

let sqliteTemplate: Promise<string> | undefined;

/** A file with every table and no record, to which nobody is connected: copied ten times as fast as made. */
async function makeSqliteTemplate(): Promise<string> {
  const path = newSqlitePath();
  const store = await openStore({ kind: "sqlite", path });
  try {
    await store.migrate(new Date());
  } finally {
    await store.close();
  }
  return path;
}

async function copiedSqlite(): Promise<DatabaseAddress> {
  sqliteTemplate ??= makeSqliteTemplate();
  const path = newSqlitePath();
  copyFileSync(await sqliteTemplate, path);
  return { kind: "sqlite", path };
}

async function newPostgres(template?: string): Promise<DatabaseAddress> {
  const { url, drop } = await postgresDatabase(template);
  atEnd(drop);
  return { kind: "postgres", url };
}

export const databases: readonly TestDatabase[] = [
  testDatabase("SQLite", {
    empty: async () => ({ kind: "sqlite", path: newSqlitePath() }),
    withTables: copiedSqlite,
  }),
  testDatabase("PostgreSQL", {
    empty: () => newPostgres(),
    withTables: () => newPostgres(process.env[templateVariable]),
  }),
];
