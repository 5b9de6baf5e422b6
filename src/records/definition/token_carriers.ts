import { type ColumnOf, type TableName, tables } from "./definition.ts";

/** Tables whose records have tokens, which deactivating the record revokes (design 6.18). */
export type TokenCarrier = {
  [T in TableName]: "tokens_not_before" extends ColumnOf<T> ? T : never;
}[TableName];

export function carriesTokens(table: TableName): table is TokenCarrier {
  return "tokens_not_before" in tables[table].fields;
}
