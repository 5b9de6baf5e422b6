/** A password that another program hashed, as the row of its user and one of its own (MG-4, docs/decisions/passwords.md). */
import { readForeignHash } from "../../crypto/foreign_hashes/foreign_hashes.ts";
import { isArgon2id } from "../../crypto/passwords.ts";
import type { TableName, User } from "../../records/definition/definition.ts";
import type { Transaction } from "../../storage/ports.ts";
import type { AdminContext } from "../access/actor.ts";

interface ForeignPassword {
  /** The value of the user's row in place of the hash. */
  readonly columns: Pick<User, "password_hash">;
  /** Stores the hash, once the user's row is written. */
  keep(tx: Transaction, user_id: string): Promise<void>;
}

/** The imported hash among these columns of a user; undefined if there is none. */
export function foreignPasswordIn(
  { store, now, import_source }: Pick<AdminContext, "store" | "now" | "import_source">,
  table: TableName,
  columns: object,
): ForeignPassword | undefined {
  const { password_hash } = columns as Partial<User>;
  if (table !== "users" || !password_hash || isArgon2id(password_hash)) return undefined;
  const { scheme, text: hash } = readForeignHash(password_hash);
  const imported_at = now();
  const source = import_source ?? null;
  const marker = store.newForeignMarker(imported_at);
  return {
    columns: { password_hash: marker },
    keep: (tx, user_id) =>
      store.keepForeignPassword(tx, marker, { user_id, scheme, hash, source, imported_at }),
  };
}
