/**
 * Password hashes that another program created (MG-4). The hash is stored in `foreign_passwords`, and the
 * user's `password_hash` contains a marker that refers to it.
 */
import { readForeignHash } from "../../crypto/foreign_hashes/foreign_hashes.ts";
import { isArgon2id } from "../../crypto/passwords.ts";
import type { Row, TableName, User } from "../../records/definition/definition.ts";
import { foreignMarker } from "../../records/names/foreign_marker.ts";
import type { AdminContext } from "../access/actor.ts";

interface ForeignPassword {
  readonly columns: Pick<User, "password_hash">;
  readonly row: Omit<Row<"foreign_passwords">, "user_id">;
}

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
  const id = store.newId(imported_at);
  return {
    columns: { password_hash: foreignMarker(id) },
    row: { id, scheme, hash, source, imported_at },
  };
}
