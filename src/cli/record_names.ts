/**
 * How records are named on the command line: people by their e-mail, organizations by their slug, apps by
 * their client_id.
 */
import type { AdminContext } from "../admin/access/actor.ts";
import { isText, notFound } from "../admin/faults.ts";
import { isUuid } from "../records/check.ts";
import { fieldsOf, type TableName } from "../records/definition.ts";
import { findNamed, nameColumnOf } from "../records/natural_key.ts";
import { WrongUsage } from "./terminal.ts";

const endOfId = /^[0-9a-f]{12}$/i;

/** What the argument that names a record of this table is called: `email`, `slug`, `client_id` or `id`. */
export function argumentOf(table: TableName): string {
  return nameColumnOf(table) ?? "id";
}

/**
 * The id of the record of this name or id; a name that never changes, a client_id, goes before an id that
 * it looks like. Throws 404 `not_found`, and `WrongUsage` for the end of an id alone (decision 76).
 */
export async function idOf(
  { store }: Pick<AdminContext, "store">,
  table: TableName,
  name: string,
): Promise<string> {
  const column = nameColumnOf(table);
  const find = (where: object): Promise<{ readonly id: string } | undefined> =>
    store.find(table as "users", where as never);
  const byId = async () => (isUuid(name) ? find({ id: name.toLowerCase() }) : undefined);
  const byName = async () =>
    column === undefined || !isText(name) ? undefined : findNamed(column, name, find);
  const isLasting = column !== undefined && fieldsOf(table)[column]?.immutable === true;
  for (const look of isLasting ? [byName, byId] : [byId, byName]) {
    const found = await look();
    if (found !== undefined) return found.id;
  }
  throw shortIdOnly(column, name) ?? notFound(table, name);
}

/** The complaint about the end of an id, of a record that has no name. */
export function shortIdOnly(column: string | undefined, name: string): WrongUsage | undefined {
  if (column !== undefined || !endOfId.test(name)) return undefined;
  return new WrongUsage(
    `"${name}" is the end of an id, as pages show it: give the whole id, which is in the address of its page`,
  );
}
