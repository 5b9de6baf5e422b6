/** Reads stored values that are encrypted. */
import { sql } from "kysely";
import type { TableName } from "../../records/definition/definition.ts";
import type { Database } from "../database/database.ts";
import { statement } from "../database/statement.ts";

export function sealedValueRules({ dialect, driver }: Database) {
  return {
    /** Returns the encrypted value of the oldest record that has one; an empty string counts as none. */
    async oldestSealed(table: TableName, column: string): Promise<string | undefined> {
      const oldest = statement<{ readonly value: string }>(
        dialect,
        table,
        () => sql<{ value: string }>`SELECT ${sql.ref(column)} AS value FROM ${sql.table(table)}
          WHERE ${sql.ref(column)} <> '' ORDER BY id LIMIT 1`,
      );
      return (await oldest.first(driver, {}))?.value;
    },
  };
}
