/**
 * How arguments name records, for example users by their email address and apps by their client_id. An id is
 * always accepted too.
 */
import { notFound } from "../../admin/access/errors.ts";
import type { Resource } from "../../admin/manage/resource.ts";
import { fieldsOf, type TableName } from "../../records/definition/definition.ts";
import { nameColumnOf, nameReferencesOf } from "../../records/definition/natural_key.ts";
import { isUuid } from "../../records/formats/check.ts";
import { WrongUsage } from "../core/terminal.ts";
import type { Server } from "../server/server.ts";

const endOfId = /^[0-9a-f]{12}$/i;

export function argumentOf(table: TableName): string {
  return nameColumnOf(table) ?? "id";
}

/**
 * Returns the arguments that name a record of this table, such as `<email>`. A membership, which two
 * references identify, has two.
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
 * Returns the id of the record that these arguments name. Throws 404 `not_found` if there is no such record,
 * and `WrongUsage` if one of two names is missing.
 */
export async function idOfArguments(
  records: Pick<Server, "idOf" | "list">,
  resource: Resource,
  names: readonly string[],
): Promise<string> {
  const { table, noun } = resource;
  const [name = "", second] = names;
  const named = namedReferences(table);
  if (second === undefined) {
    if (named.length > 0 && !isUuid(name) && !endOfId.test(name))
      throw new WrongUsage(`"${name}" is not an ID: name a ${noun} by its ID, or by ${bothNames(named)}`);
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
