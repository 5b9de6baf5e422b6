/**
 * Collects the times of last use in memory and writes them in batches, never during a request (design,
 * section 5).
 */
import { sql } from "kysely";
import type { Database } from "../database/database.ts";
import { oneAtATime } from "../database/one_at_a_time.ts";
import { arg, type Statement, statement } from "../database/statement.ts";

export type Usable =
  | "api_keys"
  | "oauth_apps"
  | "oauth_app_secrets"
  | "oauth_tokens"
  | "oauth_consents"
  | "service_accounts"
  | "service_account_key_pairs";

/** Uses of further records are dropped. */
const limit = 50_000;
const perStatement = 500;

export function lastUsed(database: Database) {
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
    oauth_apps: mark("oauth_apps"),
    oauth_app_secrets: mark("oauth_app_secrets"),
    oauth_tokens: mark("oauth_tokens"),
    oauth_consents: mark("oauth_consents"),
    service_accounts: mark("service_accounts"),
    service_account_key_pairs: mark("service_account_key_pairs"),
  };
  function queueUse(table: Usable, id: string, at: Date): void {
    const ofTable = notes.get(table) ?? new Map<string, Date>();
    notes.set(table, ofTable);
    const known = ofTable.has(id);
    if (!known && noted >= limit) return;
    if (!known) noted += 1;
    ofTable.set(id, at);
  }

  function putBack(table: Usable, uses: readonly [string, Date][]): void {
    for (const [id, at] of uses) if (!notes.get(table)?.has(id)) queueUse(table, id, at);
  }

  return {
    queueUse: queueUse,
    unwrittenUses: (): number => noted,
    /** After a failure, the unwritten uses stay queued. */
    flushUses: oneAtATime(async () => {
      const batches = [...notes].flatMap(([table, uses]) => {
        const all = [...uses];
        const starts = Array.from(
          { length: Math.ceil(all.length / perStatement) },
          (_, n) => n * perStatement,
        );
        return starts.map((from) => ({ table, uses: all.slice(from, from + perStatement) }));
      });
      notes.clear();
      noted = 0;
      for (const [index, { table, uses }] of batches.entries()) {
        const encoded = uses.map(([id, at]) => [id, dialect.encode("time", at)]);
        try {
          await driver.runBatch([marks[table].prepare({ uses: encoded })]);
        } catch (error) {
          for (const batch of batches.slice(index)) putBack(batch.table, batch.uses);
          throw error;
        }
      }
    }),
  };
}
