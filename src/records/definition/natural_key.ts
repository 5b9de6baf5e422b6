/**
 * The natural key, by which a record can be named instead of by its id. It is a unique column that callers
 * set, or several such columns that are unique together.
 */

import { findByMailbox, mailboxOf } from "../names/email.ts";
import { type TableName, tables } from "./definition.ts";
import { mayBeGiven } from "./field.ts";
import type { TableDefinition } from "./table.ts";

const naturalKeys: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(tables).map(([table, definition]) => [table, foundIn(definition)]),
);

function foundIn({ fields, unique = [] }: TableDefinition): readonly string[] {
  const input = Object.entries(fields).filter(([, field]) => mayBeGiven(field));
  const [single] = input.filter(([, field]) => field.unique).map(([name]) => name);
  if (single !== undefined) return [single];
  return unique.find((columns) => columns.every((name) => input.some(([known]) => known === name))) ?? [];
}

/** Returns the columns of the natural key; empty for a table whose records have only an id. */
export function naturalKeyOf(table: TableName): readonly string[] {
  return naturalKeys.get(table) ?? [];
}

/** Returns the column that alone is the natural key, such as `email` or `client_id`. */
export function nameColumnOf(table: TableName): string | undefined {
  const [column, ...more] = naturalKeyOf(table);
  return more.length === 0 ? column : undefined;
}

/**
 * Returns the column whose value is unique among the records of one owner, such as `display_name` of a group.
 */
export function nameWithinOwnerOf(table: TableName): string | undefined {
  const [owner = "", name = "", ...more] = naturalKeyOf(table);
  const fields: TableDefinition["fields"] = tables[table].fields;
  const isOwned = fields[owner]?.references !== undefined && fields[name]?.references === undefined;
  return isOwned && name !== "" && more.length === 0 ? name : undefined;
}

/**
 * Returns the two references that together identify a record without a name of its own, such as a membership.
 */
export function nameReferencesOf(table: TableName): readonly [string, string] | undefined {
  const [first, second, ...more] = naturalKeyOf(table);
  const fields: TableDefinition["fields"] = tables[table].fields;
  const areReferences = [first, second].every((name = "") => fields[name]?.references !== undefined);
  if (first === undefined || second === undefined || more.length > 0 || !areReferences) return undefined;
  return [first, second];
}

/**
 * Returns the form in which a record's name is compared. Email addresses of one mailbox have the same form.
 */
export function nameForm(column: string, name: string): string {
  return column === "email" ? mailboxOf(name) : name;
}

/**
 * Returns the record of this name; undefined if there is none. An email address finds only a record with the
 * same mailbox, never a look-alike.
 */
export async function findNamed<R extends object>(
  column: string,
  name: string,
  find: (where: Readonly<Record<string, string>>) => Promise<R | undefined>,
): Promise<R | undefined> {
  if (column !== "email") return find({ [column]: name });
  const found = await findByMailbox(name, async (email_key) => {
    const record = await find({ email_key });
    return record as (R & { readonly email: string }) | undefined;
  });
  return found.meant;
}
