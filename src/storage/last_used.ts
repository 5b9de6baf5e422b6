/** `last_used_at` is gathered in memory and written in batches, never in the request path (design, section 5). */
import type { Database } from "./database.ts";

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
  let notes = new Map<string, { table: Usable; id: string; at: Date }>();
  return {
    noteUse(table, id, at) {
      const key = table + id;
      if (notes.size < limit || notes.has(key)) notes.set(key, { table, id, at });
    },
    async flushUses() {
      const taken = [...notes.values()];
      notes = new Map();
      for (let from = 0; from < taken.length; from += perTransaction) {
        await database.transaction(
          async (tx) => {
            for (const { table, id, at } of taken.slice(from, from + perTransaction)) {
              await tx.update(table, { id }, { last_used_at: at });
            }
          },
          { quiet: true },
        );
      }
    },
  };
}
