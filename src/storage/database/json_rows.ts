/** Passes any number of rows as one JSON argument, so that they need only one prepared statement. */
import { sql } from "kysely";
import { fieldsOf, type TableName } from "../../records/definition/definition.ts";
import type { Kind } from "../../records/definition/field.ts";
import type { Dialect } from "./dialect.ts";
import { type Arguments, arg } from "./statement.ts";

/**
 * Returns the table's columns, SQL that reads the argument `rows`, and a function that encodes its elements.
 * `further` are values of a row that are not columns.
 */
export function jsonRows(dialect: Dialect, table: TableName, further: Readonly<Record<string, Kind>> = {}) {
  const columns = Object.entries(fieldsOf(table)).map(([name, { kind }]) => [name, kind] as const);
  const values = [...columns, ...Object.entries(further)];
  return {
    columns: sql.join(columns.map(([name]) => sql.ref(name))),
    rows: dialect.rowsOf(arg.json("rows"), Object.fromEntries(values)),
    encode: (row: Arguments): unknown[] =>
      values.map(([name, kind]) => {
        const value = row[name] ?? null;
        if (kind === "uuid" || value === null) return value;
        return kind === "signature" ? (value as Buffer).toString("hex") : dialect.encode(kind, value);
      }),
  };
}
