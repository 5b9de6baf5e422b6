/** What records hold sealed, and the change of the key that seals it (docs/operations/keys.md). */
import type { Sealer } from "../crypto/sealing.ts";
import { type ColumnOf, fieldsOf, type TableName, tables } from "../records/definition/definition.ts";
import type { SealedFor } from "../records/definition/field.ts";
import type { Keys, Rows } from "../storage/ports.ts";

type AnyRow = Readonly<Record<string, unknown>> & { readonly id: string };

interface SealedColumn {
  readonly table: TableName;
  readonly column: string;
  readonly sealed_for: SealedFor;
}

const sealedColumns: readonly SealedColumn[] = (Object.keys(tables) as TableName[]).flatMap((table) =>
  Object.entries(fieldsOf(table)).flatMap(([column, { sealed_for }]) =>
    sealed_for === undefined ? [] : [{ table, column, sealed_for }],
  ),
);

/** Rows that are read at a time. */
const page = 200;

/** Every sealed value of a column, from the newest record to the oldest. */
async function* valuesOf(
  store: Rows & Keys,
  { table, column }: SealedColumn,
): AsyncGenerator<{ readonly id: string; readonly value: string }> {
  for (let after: string | undefined; ; ) {
    const options = { order_by: "id" as ColumnOf<TableName>, descending: true, limit: page };
    const rows = (await store.list(
      table,
      {},
      { ...options, ...(after && { after }) },
    )) as unknown as AnyRow[];
    for (const row of rows) {
      const value = row[column];
      if (typeof value === "string" && value !== "") yield { id: row.id, value };
    }
    after = rows.at(-1)?.id;
    if (rows.length < page) return;
  }
}

/** Whether anything is sealed in the database, so that a new key could never open it. */
export async function holdsSealedValues(store: Rows & Keys): Promise<boolean> {
  for (const { table, column } of sealedColumns) {
    if ((await store.oldestSealed(table, column)) !== undefined) return true;
  }
  return false;
}

/**
 * Seals what another key of the list sealed under the first one, until the signal is given. How many values
 * that were; of each column the newest come first, so that while the oldest is not, the column is not done.
 */
export async function sealAnew(
  { store, sealer }: { readonly store: Rows & Keys; readonly sealer: Sealer },
  signal?: AbortSignal,
): Promise<number> {
  let sealed = 0;
  for (const column of sealedColumns) {
    const { table, column: name, sealed_for } = column;
    for await (const { id, value } of valuesOf(store, column)) {
      if (signal?.aborted) return sealed;
      if (sealer.isSealedUnderFirst(value) || !sealer.hasKeyOf(value)) continue;
      const anew = sealer.seal(sealed_for, sealer.open(sealed_for, value, id), id);
      // Only where nobody gave it another value meanwhile.
      sealed += await store.update(table, { id, [name]: value } as never, { [name]: anew } as never);
    }
  }
  return sealed;
}

/**
 * Throws where the list of keys lacks one that sealed a value: the server could not let in who needs it. Of
 * each column the oldest value is looked at, the last that `sealAnew` comes to.
 */
export async function refuseMissingKeys({
  store,
  sealer,
}: {
  store: Rows & Keys;
  sealer: Sealer;
}): Promise<void> {
  for (const { table, column } of sealedColumns) {
    const oldest = await store.oldestSealed(table, column);
    if (oldest === undefined || sealer.hasKeyOf(oldest)) continue;
    throw new Error(
      `${table}.${column} holds what POSTERN_SECRET_KEY cannot open: give the key that sealed it, as one of the list, or restore its file`,
    );
  }
}
