/** Passes rows of a table as one argument, so one prepared statement serves any number of rows. */
import { sql } from "kysely";
import { fieldsOf, type TableName } from "../../records/definition/definition.ts";
import type { Dialect } from "./dialect.ts";
import { type Arguments, arg } from "./statement.ts";

/**
 * Returns the SQL that reads the rows from the argument `rows`, and the function `encode` that creates its
 * entries.
 */
export function jsonRows(dialect: Dialect, table: TableName) {
  const fields = Object.entries(fieldsOf(table));
  const kinds = Object.fromEntries(fields.map(([name, { kind }]) => [name, kind]));
  return {
    columns: sql.join(fields.map(([name]) => sql.ref(name))),
    rows: dialect.rowsOf(arg.json("rows"), kinds),
    encode: (row: Arguments): unknown[] =>
      fields.map(([name, { kind }]) => {
        const value = row[name] ?? null;
        if (kind === "uuid" || value === null) return value;
        return kind === "signature" ? (value as Buffer).toString("hex") : dialect.encode(kind, value);
      }),
  };
}
