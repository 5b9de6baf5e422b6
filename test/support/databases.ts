/** Both databases, so that whatever a test says of storage is said of each of them. */
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
  address: (template?: string) => Promise<DatabaseAddress>,
): TestDatabase {
  return {
    name,
    address: () => address(),
    async open() {
      const store = await openStoreAt(await address(process.env[templateVariable]));
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

async function sqliteAddress(): Promise<DatabaseAddress> {
  return { kind: "sqlite", path: join(temporaryFolder(quickFolder()), "postern.db") };
}

async function postgresAddress(template?: string): Promise<DatabaseAddress> {
  const { url, drop } = await postgresDatabase(template);
  atEnd(drop);
  return { kind: "postgres", url };
}

export const databases: readonly TestDatabase[] = [
  testDatabase("SQLite", sqliteAddress),
  testDatabase("PostgreSQL", postgresAddress),
];
