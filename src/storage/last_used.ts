/** `last_used_at` is gathered in memory and written in batches, never in the request path (design, section 5). */
import type { Database } from "./database.ts";
import { arg, type Statement, statement } from "./statement.ts";

/** Tables whose records say when they were last used. */
export type Usable =
  | "api_keys"
  | "oauth_app_secrets"
  | "oauth_tokens"
  | "oauth_consents"
  | "service_accounts"
  | "service_account_key_pairs";

export interface LastUsed {
  /** Notes a use; a later note of the same record replaces an earlier one. */
  noteUse(table: Usable, id: string, at: Date): void;
  /** Writes what was noted. */
  flushUses(): Promise<void>;
}

/** Notes kept at most between two flushes; past it the newest are dropped rather than the memory filled. */
const limit = 50_000;
const perTransaction = 500;

export function lastUsed(database: Database): LastUsed {
  const { dialect, driver } = database;
  let notes = new Map<string, { table: Usable; id: string; at: Date }>();
  const mark = (table: Usable) =>
    statement(dialect, table, (query) =>
      query
        .updateTable(table as "oauth_tokens")
        .set({ last_used_at: arg.time("at") })
        .where("id", "=", arg.uuid("id")),
    );
  const marks: Record<Usable, Statement<unknown>> = {
    api_keys: mark("api_keys"),
    oauth_app_secrets: mark("oauth_app_secrets"),
    oauth_tokens: mark("oauth_tokens"),
    oauth_consents: mark("oauth_consents"),
    service_accounts: mark("service_accounts"),
    service_account_key_pairs: mark("service_account_key_pairs"),
  };
  return {
    noteUse(table, id, at) {
      const key = table + id;
      if (notes.size < limit || notes.has(key)) notes.set(key, { table, id, at });
    },
    async flushUses() {
      const taken = [...notes.values()];
      notes = new Map();
      for (let from = 0; from < taken.length; from += perTransaction) {
        const some = taken.slice(from, from + perTransaction);
        // Nothing cached depends on it, so caches are kept.
        await driver.atOnce(some.map(({ table, id, at }) => marks[table].prepare({ id, at })));
      }
    },
  };
}
