/** A file with all rows that belong to a user, without secrets (SS-11). */
import { type Row, type TableName, tables, type User } from "../../records/definition/definition.ts";
import { ownRowsOf } from "../../records/definition/own_data.ts";
import { publicView } from "../../records/definition/view.ts";
import type { Rows } from "../../storage/ports.ts";

/** Rows per read. This bounds memory, whatever the size of the file. */
const pageSize = 200;

/** The version of the file format. */
export const ownDataVersion = 1;

/** The tables in the file, in order. */
export const ownTables: readonly TableName[] = (Object.keys(tables) as TableName[]).filter(
  (table) => ownRowsOf(table) !== undefined,
);

/**
 * Yields the file in parts: JSON with `version`, `exported_at` and, under `records`, the rows of each
 * table.
 */
export async function* ownData(
  { id }: Pick<User, "id">,
  { store, now }: { readonly store: Pick<Rows, "list">; readonly now: () => Date },
): AsyncGenerator<string> {
  yield `{"version":${ownDataVersion},"exported_at":${JSON.stringify(now())},"records":{`;
  for (const [index, table] of ownTables.entries()) {
    yield `${index === 0 ? "" : ","}\n${JSON.stringify(table)}:[`;
    let first = true;
    for await (const row of rowsOf(table, id, store)) {
      yield `${first ? "" : ","}\n${JSON.stringify(publicView(table, row))}`;
      first = false;
    }
    yield "]";
  }
  yield "\n}}\n";
}

async function* rowsOf(
  table: TableName,
  user_id: string,
  store: Pick<Rows, "list">,
): AsyncGenerator<Row<TableName>> {
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
