import { sql } from "kysely";
import type { TableName } from "../../records/definition/definition.ts";
import type { Database } from "../database/database.ts";
import { statement } from "../database/statement.ts";

export function sealedValueRules({ dialect, driver }: Database) {
  return {
    /** An empty string counts as no value. */
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
