/** Protects records in lists such as `role_ids`, which no foreign key protects from concurrent deletion. */
import type { TableName } from "../../records/definition/definition.ts";
import type { Transaction } from "../changes/changes.ts";
import { referencesOf } from "./members/entry.ts";
import { changedMeanwhile } from "./plan.ts";
import type { Prepared } from "./prepare.ts";

interface Listed {
  readonly table: TableName;
  readonly id: string;
}

/** Returns the records that lists in these rows contain, without the records to which the rows belong. */
export function listedIn(prepared: readonly Prepared[]): Listed[] {
  const rows = prepared.flatMap((each) => each.rows);
  const listed = new Map<string, Listed>();
  for (const { table, values } of rows)
    for (const { column, to, is_list } of referencesOf(table).values()) {
      const ids = is_list ? values[column] : undefined;
      if (Array.isArray(ids)) for (const id of ids) listed.set(`${to} ${id}`, { table: to, id });
    }
  for (const { table, current, values } of rows) listed.delete(`${table} ${(current ?? values).id}`);
  return [...listed.values()];
}

/** Throws 409 `conflict` if one of the records was deleted. */
export async function requireListed(tx: Transaction, listed: readonly Listed[]): Promise<void> {
  for (const { table, id } of listed)
    if ((await tx.find(table, { id } as never)) === undefined) throw changedMeanwhile(table);
}
