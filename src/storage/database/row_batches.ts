/**
 * Changes all rows with a given value in a column, in batches with separate commits. On SQLite, one statement
 * for all rows would block other requests. The column needs an index that ends in `id`.
 */

import { setImmediate as giveWay } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import { type ColumnOf, fieldsOf, type TableName } from "../../records/definition/definition.ts";
import type { LockName } from "../../records/names/lock_names.ts";
import type { Database, Transaction } from "./database.ts";
import { firstId, firstIdAt, idBefore, lastId } from "./ids.ts";
import { type Arguments, arg, statement } from "./statement.ts";

/** Few enough that, on SQLite, a batch blocks other requests only for a few milliseconds. */
export const rowsOfBatch = 250;

/** Returns functions that change the rows whose `column` has a given value. */
export function rowBatches<T extends TableName>(
  database: Database,
  table: T,
  column: ColumnOf<T>,
  write: (fits: RawBuilder<boolean>) => RawBuilder<unknown>,
) {
  const { dialect } = database;
  const kind = fieldsOf(table)[column]?.kind;
  if (kind === undefined) throw new TypeError(`${table} has no column ${column}`);
  const beyond = sql<boolean>`${sql.ref(column)} = ${arg.of(kind, "of")} AND id > ${arg.uuid("after")}`;
  const last = statement<{ id: string }>(
    dialect,
    table,
    () => sql`SELECT id FROM ${sql.table(table)} WHERE ${beyond}
      ORDER BY id LIMIT 1 OFFSET ${sql.lit(rowsOfBatch - 1)}`,
  );
  const change = statement(dialect, table, () => write(sql`${beyond} AND id <= ${arg.uuid("bound")}`));
  return {
    async all(of: string, args: Arguments = {}, locks: readonly LockName[] = []): Promise<void> {
      for (let after = firstId; after !== lastId; await giveWay()) {
        const behind = after;
        after = await database.transaction(async (tx) => {
          await tx.lock(...locks);
          const bound = (await last.first(tx.connection, { of, after: behind }))?.id ?? lastId;
          tx.changed(table);
          await change.run(tx.connection, { ...args, of, after: behind, bound });
          return bound;
        });
      }
    },
    /** Changes the rows created at or after `moment` in one statement, so use it for few rows. */
    async since(tx: Transaction, of: string, moment: Date, args: Arguments = {}): Promise<void> {
      tx.changed(table);
      const after = idBefore(firstIdAt(moment.getTime()));
      await change.run(tx.connection, { ...args, of, after, bound: lastId });
    },
  };
}

/** Returns functions that delete the rows whose `column` has a given value. */
export const removalOf = <T extends TableName>(database: Database, table: T, column: ColumnOf<T>) =>
  rowBatches(database, table, column, (fits) => sql`DELETE FROM ${sql.table(table)} WHERE ${fits}`);
