import { detail } from "../../errors/details.ts";
import { fieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { TableName } from "../../records/definition/definition.ts";
import { resourceTypeOfTable } from "../../records/definition/permissions.ts";
import { searchedColumnsOf } from "../../records/definition/searched_columns.ts";
import type { Sought } from "../../storage/listing/branches.ts";
import type { ListQuery } from "../../storage/listing/listing.ts";
import { permissionsAnywhere, visibility } from "../access/access.ts";
import { type AdminContext, permissionsOfActor } from "../access/actor.ts";

/** Bounds the SQL query; further words of a search are ignored. */
const mostWords = 4;
const mostNamed = 100;

type NamedBy = (table: TableName, text: string) => Promise<string[]>;

/**
 * Returns the condition for searching a table whose records have no name, such as sessions. For other tables,
 * returns the search unchanged. Throws 400 `invalid_filter` if too many records have the searched name.
 */
export async function searchAmong<T extends TableName>(
  context: AdminContext,
  table: T,
  { search }: Pick<ListQuery<T>, "search">,
): Promise<Pick<ListQuery<T>, "search" | "sought">> {
  const words = search?.trim().split(/\s+/) ?? [];
  if (search === undefined || words[0] === "" || searchedColumnsOf(table) === undefined) return { search };
  const by: NamedBy = (of, text) => allNamed(context, of, text);
  const whole = await soughtBy(table, words.join(" "), by);
  if (words.length === 1 || "named" in whole) return { search: undefined, sought: [whole] };
  return {
    search: undefined,
    sought: await Promise.all(words.slice(0, mostWords).map((word) => soughtBy(table, word, by))),
  };
}

/**
 * Returns the condition for the records of a table that the actor may read; undefined if the actor may read
 * none.
 */
export async function readableIn(
  context: AdminContext,
  table: TableName,
): Promise<Pick<ListQuery<TableName>, "visible"> | undefined> {
  const resourceType = resourceTypeOfTable[table];
  const held = permissionsAnywhere(await permissionsOfActor(context));
  if (resourceType === undefined || !held.has(`${resourceType}:read`)) return undefined;
  return { visible: await visibility(context, resourceType) };
}

async function allNamed(context: AdminContext, table: TableName, text: string): Promise<string[]> {
  const readable = await readableIn(context, table);
  if (readable === undefined) return [];
  const { rows } = await context.store.listPage(table, { ...readable, search: text, limit: mostNamed + 1 });
  if (rows.length > mostNamed)
    throw new Problem("invalid_filter", detail("search_too_wide"), [
      fieldError("/q", "search_too_wide", { max: mostNamed }),
    ]);
  return rows.map(({ id }) => id);
}

/**
 * Returns the condition for rows that refer to a record with the searched name. If `namedIn` finds no such
 * record, the condition is that the row contains the text.
 */
export async function soughtBy(table: TableName, text: string, namedIn: NamedBy): Promise<Sought> {
  const { named_by, texts } = searchedColumnsOf(table) ?? { named_by: {}, texts: [] };
  const tables = [...new Set(Object.values(named_by).filter((of) => of !== undefined))];
  const found = new Map(await Promise.all(tables.map(async (of) => [of, await namedIn(of, text)] as const)));
  const named = Object.entries(named_by).flatMap(([column, of]) => {
    const ids = (of && found.get(of)) ?? [];
    return ids.length === 0 ? [] : [{ column, ids }];
  });
  return named.length > 0 ? { named } : { text: text.toLowerCase(), columns: texts };
}
