/**
 * Finds the encrypted values in the database and re-encrypts them after a key rotation
 * (docs/operations/keys.md).
 */
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

const page = 200;

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

/** Returns whether the database contains encrypted values. */
export async function holdsSealedValues(store: Rows & Keys): Promise<boolean> {
  for (const { table, column } of sealedColumns) {
    if ((await store.oldestSealed(table, column)) !== undefined) return true;
  }
  return false;
}

/**
 * Re-encrypts values with the first secret key, and returns their number. Starts with the newest value of a
 * column, so a column is complete when its oldest value is re-encrypted.
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
      sealed += await store.update(table, { id, [name]: value } as never, { [name]: anew } as never);
    }
  }
  return sealed;
}

/**
 * Throws if a stored value is encrypted with a key that is not configured. Checks only the oldest value of
 * each column, which `sealAnew` re-encrypts last.
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
      `${table}.${column} has values that POSTERN_SECRET_KEY cannot decrypt: add the key that encrypted them to the list, or restore its file`,
    );
  }
}
