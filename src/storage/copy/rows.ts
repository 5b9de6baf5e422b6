/** Copies the rows of one database to another, which may be of another kind. */
import { fieldsOf, type TableName, tables } from "../../records/definition/definition.ts";
import type { Dialect } from "../database/dialect.ts";
import type { Connection } from "../database/driver.ts";
import { wordedTables, wordKeeper } from "../database/search_words.ts";
import { arg, columnNames, type Statement, statement } from "../database/statement.ts";
import { type ConnectionVerbs, verbsOn } from "../database/verbs.ts";

export interface CopyEnd {
  readonly connection: Connection;
  readonly dialect: Dialect;
}

type AnyRow = Readonly<Record<string, unknown>> & { readonly id: string };

const mostRows = 500;
/** SQLite allows 32,766 values in a statement, and PostgreSQL 65,535. */
const mostValues = 30_000;

/** Returns all tables, each after the tables that it references. */
export function tablesInOrder(): TableName[] {
  const ordered = new Set<TableName>();
  const add = (table: TableName, path: readonly TableName[]) => {
    if (ordered.has(table)) return;
    if (path.includes(table)) throw new TypeError(`tables refer to each other: ${path.join(", ")}`);
    for (const { references } of Object.values(fieldsOf(table))) {
      // A table that references itself would be a cycle too: a row could be copied before the row that it
      // references.
      if (references !== undefined) add(references.table as TableName, [...path, table]);
    }
    ordered.add(table);
  };
  for (const table of Object.keys(tables) as TableName[]) add(table, []);
  return [...ordered];
}

export function readerOf({ connection, dialect }: CopyEnd): ConnectionVerbs {
  const shared = { statements: new Map(), words: wordKeeper(dialect), marks: undefined };
  return verbsOn(connection, dialect, shared, () => {});
}

function insertOf(dialect: Dialect, table: TableName, rows: number): Statement<unknown> {
  const fields = Object.entries(fieldsOf(table));
  const valuesOf = (row: string) =>
    Object.fromEntries(fields.map(([name, { kind }]) => [name, arg.of(kind, name, row)]));
  return statement(dialect, table, (query) =>
    query
      .insertInto(table)
      .values(Array.from({ length: rows }, (_, index) => valuesOf(`row${index}`)) as never),
  );
}

/**
 * Copies all rows in batches and returns the number per table. Search words are derived again instead of
 * copied.
 */
export async function copyRows(
  from: CopyEnd,
  to: CopyEnd,
  onRows: (table: TableName, copied: number) => void,
): Promise<Readonly<Record<string, number>>> {
  const [source, target] = [readerOf(from), readerOf(to)];
  const words = wordKeeper(to.dialect);
  const counts: Record<string, number> = {};
  for (const table of tablesInOrder()) {
    const limit = Math.min(mostRows, Math.floor(mostValues / columnNames(table).length));
    const whole = insertOf(to.dialect, table, limit);
    let copied = 0;
    for (let after: string | undefined; ; ) {
      const options = { limit, ...(after !== undefined && { after }) };
      const rows = (await source.list(table, {}, options)) as readonly unknown[] as readonly AnyRow[];
      if (rows.length > 0) {
        const insert = rows.length === limit ? whole : insertOf(to.dialect, table, rows.length);
        await insert.run(to.connection, Object.fromEntries(rows.map((row, index) => [`row${index}`, row])));
        if (wordedTables.has(table)) await words.add(to.connection, table, rows);
      }
      copied += rows.length;
      after = rows.at(-1)?.id;
      onRows(table, copied);
      if (rows.length < limit) break;
    }
    const [there, here] = [await source.count(table), await target.count(table)];
    if (there !== copied || here !== copied) {
      throw new Error(
        `${table}: the database has ${there} rows, but ${copied} were read and the copy has ${here}`,
      );
    }
    counts[table] = copied;
  }
  return counts;
}
