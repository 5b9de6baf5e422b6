/** `last_used_at` is gathered in memory and written in batches, never in the request path (design, section 5). */
import { sql } from "kysely";
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
  /** How many records have a use that is not yet written. */
  unwrittenUses(): number;
}

/** Notes kept at most between two flushes; past it the newest are dropped rather than the memory filled. */
const limit = 50_000;
const perStatement = 500;

export function lastUsed(database: Database): LastUsed {
  const { dialect, driver } = database;
  const notes = new Map<Usable, Map<string, Date>>();
  let noted = 0;
  const mark = (table: Usable) =>
    statement(
      dialect,
      table,
      () => sql`UPDATE ${sql.table(table)} SET last_used_at = used.at
        FROM (${dialect.rowsOf(arg.json("uses"), { id: "uuid", at: "time" })}) AS used WHERE ${sql.table(table)}.id = used.id`,
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
      const ofTable = notes.get(table) ?? new Map<string, Date>();
      notes.set(table, ofTable);
      const known = ofTable.has(id);
      if (!known && noted >= limit) return;
      if (!known) noted += 1;
      ofTable.set(id, at);
    },
    unwrittenUses: () => noted,
    async flushUses() {
      const taken = [...notes];
      notes.clear();
      noted = 0;
      for (const [table, uses] of taken) {
        const encoded = [...uses].map(([id, at]) => [id, dialect.encode("time", at)]);
        for (let from = 0; from < encoded.length; from += perStatement) {
          // Nothing cached depends on it, so caches are kept.
          await driver.atOnce([marks[table].prepare({ uses: encoded.slice(from, from + perStatement) })]);
        }
      }
    },
  };
}
