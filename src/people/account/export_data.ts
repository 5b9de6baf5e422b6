/** Creates a file with all rows that belong to a user, without secrets (SS-11). */

import { type Row, type TableName, tables, type User } from "../../records/definition/definition.ts";
import { ownershipOf } from "../../records/definition/ownership.ts";
import { organizationOfRow, recordTypeOf } from "../../records/rules/attributes.ts";
import { viewOfReader } from "../../records/rules/readers.ts";
import type { Clients, Rows } from "../../storage/ports.ts";

interface OwnRows {
  readonly column: string;
  readonly where: Readonly<Record<string, string | null>>;
}

/** Tables whose rows belong to a user although their definition names no owner. */
const besides: { readonly [T in TableName]?: OwnRows } = {
  users: { column: "id", where: {} },
  audit_events: { column: "actor_id", where: { actor_kind: "user" } },
  refusals: { column: "user_id", where: {} },
};

export const notOwn: { readonly [T in TableName]?: string } = {
  invitations: "belongs to the organization, and contains the address of another person",
  service_accounts: "belongs to the organization; the user only created it",
};

/** Returns which rows of this table belong to a user; undefined if none do. */
export function ownRowsOf(table: TableName): OwnRows | undefined {
  const { user } = ownershipOf(table);
  if (besides[table] !== undefined) return besides[table];
  if (user === undefined || notOwn[table] !== undefined) return undefined;
  return { column: user.column, where: (user.where ?? {}) as OwnRows["where"] };
}

/** Rows per read. Reading in pages bounds memory use, whatever the size of the file. */
const pageSize = 200;

export const ownDataVersion = 1;

export const ownTables: readonly TableName[] = (Object.keys(tables) as TableName[]).filter(
  (table) => ownRowsOf(table) !== undefined,
);

type Reads = Pick<Rows, "list"> & Pick<Clients, "attributeDefinitions">;

/**
 * Yields the parts of a JSON file with the user's rows. Even if an administrator exports it, it contains only
 * attributes that the user may see.
 */
export async function* ownData(
  { id }: Pick<User, "id">,
  { store, now }: { readonly store: Reads; readonly now: () => Date },
): AsyncGenerator<string> {
  yield `{"version":${ownDataVersion},"exported_at":${JSON.stringify(now())},"records":{`;
  for (const [index, table] of ownTables.entries()) {
    yield `${index === 0 ? "" : ","}\n${JSON.stringify(table)}:[`;
    let first = true;
    for await (const row of rowsOf(table, id, store)) {
      const definitions = await definitionsFor(table, row, store);
      yield `${first ? "" : ","}\n${JSON.stringify(viewOfReader(id, table, row, definitions))}`;
      first = false;
    }
    yield "]";
  }
  yield "\n}}\n";
}

async function definitionsFor(table: TableName, row: Row<TableName>, store: Reads) {
  if (recordTypeOf(table) === undefined && table !== "audit_events") return [];
  const owner = organizationOfRow(table, row as unknown as Readonly<Record<string, unknown>>);
  return store.attributeDefinitions(...(owner === null ? [] : [owner]));
}

async function* rowsOf(table: TableName, user_id: string, store: Reads): AsyncGenerator<Row<TableName>> {
  const own = ownRowsOf(table);
  if (own === undefined) return;
  const where = { ...own.where, [own.column]: user_id };
  let after: string | undefined;
  for (;;) {
    const options = { order_by: "id", limit: pageSize, ...(after !== undefined && { after }) } as const;
    const rows = (await store.list(table, where as never, options as never)) as Row<TableName>[];
    yield* rows;
    if (rows.length < pageSize) return;
    after = (rows.at(-1) as { readonly id: string }).id;
  }
}
