/**
 * An open database with typed read and write methods, transactions, and notices that clear the caches of all
 * processes.
 */
import type { TableName } from "../../records/definition/definition.ts";
import type { Dialect } from "./dialect.ts";
import type { Connection, Driver } from "./driver.ts";
import type { EventMarks } from "./event_marks.ts";
import type { Feed } from "./feed.ts";
import { idMaker } from "./ids.ts";
import { inOrder, type Lock, lockKeeper, lockStatement } from "./locks.ts";
import { type LogoutNotices, logoutNotices } from "./logout_notices.ts";
import { wordedTables, wordKeeper } from "./search_words.ts";
import { type ConnectionVerbs, endsSessions, type Verbs, type VerbsShared, verbsOn } from "./verbs.ts";

const cachedTables: ReadonlySet<TableName> = new Set<TableName>([
  "users",
  "organizations",
  "memberships",
  "roles",
  "groups",
  "group_members",
  "app_roles",
  "oauth_apps",
  "attribute_definitions",
  "oauth_app_secrets",
  "providers",
  "resources",
  "service_accounts",
  "service_account_key_pairs",
  "signing_keys",
]);

export interface Transaction extends ConnectionVerbs {
  readonly connection: Connection;
  changed(table: TableName): void;
  /**
   * Acquires the locks until the end of the transaction; call it before reading the rows that they protect.
   * Throws if a lock is requested in the wrong order (`records/names/lock_names.ts`).
   */
  lock(...locks: readonly Lock[]): Promise<void>;
}

export interface Database extends Verbs {
  readonly known: { has_word_parts?: Promise<boolean> | undefined };
  readonly driver: Driver;
  readonly dialect: Dialect;
  readonly notices: LogoutNotices;
  readonly feed: Feed | undefined;
  /**
   * `work` may await only the transaction's own methods. Set `quiet` if no cached record depends on the
   * changes. `maxWait` replaces the time limit per statement (milliseconds, 0 for none).
   */
  transaction<R>(
    work: (tx: Transaction) => Promise<R>,
    options?: { quiet?: boolean; maxWait?: number },
  ): Promise<R>;
  onChange(listener: () => void): void;
}

/** PostgreSQL allows 1,664 result columns, and each lock is one column. */
const locksOfStatement = 1000;

export function databaseOn(driver: Driver, marks?: EventMarks, feed?: Feed): Database {
  const { dialect } = driver;
  const notices = logoutNotices(dialect, idMaker(), feed);
  const shared: VerbsShared = { statements: new Map(), words: wordKeeper(dialect), marks, feed, notices };
  const listeners: (() => void)[] = [];
  const forget = () => {
    for (const listener of listeners) listener();
  };
  driver.onChange(forget);

  function lockOn(connection: Connection): Transaction["lock"] {
    let keep: ReturnType<typeof lockKeeper> | undefined;
    return async (...locks) => {
      keep ??= lockKeeper();
      keep(locks);
      const ordered = inOrder(locks);
      for (let from = 0; from < ordered.length; from += locksOfStatement) {
        const statement = lockStatement(dialect, ordered.slice(from, from + locksOfStatement));
        if (statement !== undefined) await connection.all(statement.sql, statement.parameters);
      }
    };
  }

  async function transaction<R>(
    work: (tx: Transaction) => Promise<R>,
    { quiet = false, maxWait }: { quiet?: boolean; maxWait?: number } = {},
  ): Promise<R> {
    let notice = false;
    const changed = (table: TableName) => {
      if (!quiet && cachedTables.has(table)) notice = true;
    };
    try {
      return await driver.transaction(
        (connection) => {
          notice = false;
          return work({
            ...verbsOn(connection, dialect, shared, changed),
            connection,
            changed,
            lock: lockOn(connection),
          });
        },
        { notice: () => notice, ...(maxWait !== undefined && { maxWait }) },
      );
    } finally {
      // The commit may have succeeded although its response was lost.
      if (notice) forget();
    }
  }

  const reading = verbsOn(driver, dialect, shared, () => {});
  /**
   * Writes with a single statement and no explicit transaction, for tables that are not in `needTransaction`.
   */
  const writing = verbsOn(
    {
      ...driver,
      async run(sql, parameters) {
        const [count = 0] = await driver.runBatch([{ sql, parameters }]);
        return count;
      },
    },
    dialect,
    shared,
    () => {},
  );
  const needTransaction: ReadonlySet<TableName> = new Set<TableName>([
    ...cachedTables,
    ...wordedTables,
    ...(marks === undefined && feed === undefined ? [] : ["audit_events" as const]),
    ...(feed === undefined ? [] : ["sessions" as const]),
  ]);
  return {
    known: {},
    driver,
    dialect,
    notices,
    feed,
    transaction,
    onChange: (listener) => listeners.push(listener),
    find: reading.find,
    list: reading.list,
    listColumns: reading.listColumns,
    count: reading.count,
    insert: (table, row) =>
      needTransaction.has(table) ? transaction((tx) => tx.insert(table, row)) : writing.insert(table, row),
    update: (table, where, changes) =>
      needTransaction.has(table) || endsSessions(table, changes)
        ? transaction((tx) => tx.update(table, where, changes))
        : writing.update(table, where, changes),
    remove: (table, where) =>
      needTransaction.has(table)
        ? transaction((tx) => tx.remove(table, where))
        : writing.remove(table, where),
  };
}
