/** A search among records that have no names of their own, by the names of those they refer to. */
import { detail } from "../errors/details.ts";
import { fieldError } from "../errors/field_errors.ts";
import { Problem } from "../errors.ts";
import type { TableName } from "../records/definition.ts";
import { resourceTypeOfTable } from "../records/permissions.ts";
import { searchedColumnsOf } from "../records/searched_columns.ts";
import type { Sought } from "../storage/listing/branches.ts";
import type { ListQuery } from "../storage/listing/listing.ts";
import { permissionsAnywhere, visibility } from "./access/access.ts";
import { type AdminContext, permissionsOfActor } from "./access/actor.ts";

/** Words of such a search that count. */
const mostWords = 4;
/** So many records may have the name that is searched for. */
const mostNamed = 100;

/**
 * What the rows of a list must fit, for a search of a table whose records have no words of their own: the
 * records that the actor may read and that have such a name, else the text itself. Throws 400
 * `invalid_filter` where too many records have the name.
 */
export async function searchAmong<T extends TableName>(
  context: AdminContext,
  table: T,
  { search }: Pick<ListQuery<T>, "search">,
): Promise<Pick<ListQuery<T>, "search" | "sought">> {
  const words = search?.trim().split(/\s+/) ?? [];
  if (search === undefined || words[0] === "" || searchedColumnsOf(table) === undefined) return { search };
  const whole = await soughtBy(context, table, words.join(" "));
  if (words.length === 1 || "named" in whole) return { search: undefined, sought: [whole] };
  return {
    search: undefined,
    sought: await Promise.all(words.slice(0, mostWords).map((word) => soughtBy(context, table, word))),
  };
}

async function soughtBy(context: AdminContext, table: TableName, text: string): Promise<Sought> {
  const { named_by, texts } = searchedColumnsOf(table) ?? { named_by: {}, texts: [] };
  const held = permissionsAnywhere(await permissionsOfActor(context));
  const namedIn = async (of: TableName): Promise<string[]> => {
    const resourceType = resourceTypeOfTable[of];
    if (resourceType === undefined || !held.has(`${resourceType}:read`)) return [];
    const visible = await visibility(context, resourceType);
    const { rows } = await context.store.listPage(of, { search: text, visible, limit: mostNamed + 1 });
    if (rows.length > mostNamed)
      throw new Problem("invalid_filter", detail("search_too_wide"), [
        fieldError("/q", "search_too_wide", { max: mostNamed }),
      ]);
    return rows.map(({ id }) => id);
  };
  const tables = [...new Set(Object.values(named_by).filter((of) => of !== undefined))];
  const found = new Map(await Promise.all(tables.map(async (of) => [of, await namedIn(of)] as const)));
  const named = Object.entries(named_by).flatMap(([column, of]) => {
    const ids = (of && found.get(of)) ?? [];
    return ids.length === 0 ? [] : [{ column, ids }];
  });
  return named.length > 0 ? { named } : { text: text.toLowerCase(), columns: texts };
}
