/**
 * How records are named on the command line: people by their e-mail, organizations by their slug, apps by
 * their client_id.
 */
import type { AdminContext } from "../admin/access/actor.ts";
import { isText, notFound } from "../admin/access/faults.ts";
import type { Resource } from "../admin/manage/resource.ts";
import { fieldsOf, type TableName } from "../records/definition/definition.ts";
import { findNamed, nameColumnOf, nameReferencesOf } from "../records/definition/natural_key.ts";
import { isUuid } from "../records/formats/check.ts";
import type { RecordSource } from "./record_source.ts";
import { WrongUsage } from "./terminal.ts";

const endOfId = /^[0-9a-f]{12}$/i;

/** What the argument that names a record of this table is called: `email`, `slug`, `client_id` or `id`. */
export function argumentOf(table: TableName): string {
  return nameColumnOf(table) ?? "id";
}

/**
 * The arguments that name a record of this table: `<email>`; where two references name it, its id or the
 * names of both.
 */
export function argumentsOf(table: TableName): readonly string[] {
  const named = namedReferences(table);
  if (named.length === 0) return [`<${argumentOf(table)}>`];
  const [first, second] = named.map((reference) => argumentOf(reference.table));
  return [`<id|${first}>`, `[${second}]`];
}

interface NamedReference {
  readonly column: string;
  readonly table: TableName;
}

function namedReferences(table: TableName): readonly NamedReference[] {
  return (nameReferencesOf(table) ?? []).map((column) => ({
    column,
    table: fieldsOf(table)[column]?.references?.table as TableName,
  }));
}

/**
 * The id of the record that these arguments name. Throws 404 `not_found`, and `WrongUsage` for one name
 * where two are needed.
 */
export async function idOfArguments(
  records: Pick<RecordSource, "idOf" | "list">,
  resource: Resource,
  names: readonly string[],
): Promise<string> {
  const { table, noun } = resource;
  const [name = "", second] = names;
  const named = namedReferences(table);
  if (second === undefined) {
    if (named.length > 0 && !isUuid(name) && !endOfId.test(name))
      throw new WrongUsage(`"${name}" is not an id: name a ${noun} by its id, or by ${bothNames(named)}`);
    return records.idOf(table, name);
  }
  const query: Record<string, string> = { limit: "1" };
  for (const [place, { column, table: other }] of named.entries())
    query[column] = await records.idOf(other, names[place] ?? "");
  const [found] = (await records.list(resource, query)).data;
  if (found === undefined) throw notFound(table, names.join(" "));
  return String(found.id);
}

const bothNames = (named: readonly NamedReference[]) =>
  named.map((reference) => `<${argumentOf(reference.table)}>`).join(" and ");

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
