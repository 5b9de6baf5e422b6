/** Rows of a table as one argument, so that a statement for any number of them is prepared once. */
import { sql } from "kysely";
import { fieldsOf, type TableName } from "../../records/definition/definition.ts";
import type { Dialect } from "./dialect.ts";
import { type Arguments, arg } from "./statement.ts";

/** `rows` selects the rows of the argument `rows`, whose entries `encode` makes. */
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
