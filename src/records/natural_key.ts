/**
 * The name by which people call a record instead of its id. It follows from the definition: the column, or
 * the columns together, that callers give and that are unique.
 */
import { type TableName, tables } from "./definition.ts";
import { emailKey } from "./email.ts";
import { mayBeGiven } from "./field.ts";
import type { TableDefinition } from "./table.ts";

/** The columns that are unique together; none for a table whose records have nothing but their id. */
export function naturalKeyOf(table: TableName): readonly string[] {
  const { fields, unique = [] }: TableDefinition = tables[table];
  const given = Object.entries(fields).filter(([, field]) => mayBeGiven(field));
  const [single] = given.filter(([, field]) => field.unique).map(([name]) => name);
  if (single !== undefined) return [single];
  return unique.find((columns) => columns.every((name) => given.some(([known]) => known === name))) ?? [];
}

/** The one column by which people name a record: `email`, `slug` or `client_id`. */
export function nameColumnOf(table: TableName): string | undefined {
  const [column, ...more] = naturalKeyOf(table);
  return more.length === 0 ? column : undefined;
}

/** The condition that finds the record whose column has this value: e-mails are found whatever their case. */
export function whereNamed(column: string, value: string): Readonly<Record<string, string>> {
  return column === "email" ? { email_key: emailKey(value) } : { [column]: value };
}
