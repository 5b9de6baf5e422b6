import type { TableName } from "../../records/definition/definition.ts";
import { searchedColumnsOf } from "../../records/definition/searched_columns.ts";
import type { PublicView } from "../../records/definition/view.ts";
import type { ListWanted } from "../../storage/listing/listing.ts";
import { narrowedTo, visibility } from "../access/access.ts";
import { type AdminContext, permissionsOfActor } from "../access/actor.ts";
import { isText } from "../access/errors.ts";
import { listedView } from "./list_records.ts";
import type { Resource } from "./resource.ts";
import { readableIn, soughtBy } from "./search_among.ts";

export interface FoundRecords {
  readonly records: PublicView[];
  /** False if the search stopped with fewer records than the limit before it had read the whole table. */
  readonly is_all: boolean;
}

/** Maximum number of rows that a search reads from each table, including rows that the actor may not see. */
const mostReadOfEach = 400;

/** The maximum number of matching names through which records without a name, such as sessions, are found. */
const mostNamed = 10;

/**
 * Returns a function that searches one resource type for `text`. Its cost is bounded, so it may miss records
 * that the list's own search finds.
 */
export function searchFor(
  context: AdminContext,
  text: string,
  within?: string,
): (resource: Resource, limit: number) => Promise<FoundRecords> {
  const named = new Map<TableName, Promise<string[]>>();
  const idsNamed = (table: TableName) => {
    const known = named.get(table) ?? idsOf(table);
    named.set(table, known);
    return known;
  };
  async function idsOf(table: TableName): Promise<string[]> {
    const readable = await readableIn(context, table);
    if (readable === undefined) return [];
    const bounds = { limit: mostNamed, most_read: mostReadOfEach };
    const { rows } = await context.store.glanceAtList(table, { ...readable, search: text }, bounds);
    return rows.map(({ id }) => id);
  }

  return async ({ table, ...resource }, limit) => {
    if (!isText(text) || !resource.filters.some(({ to }) => to === "search"))
      return { records: [], is_all: true };
    const visible = narrowedTo(within, table, await visibility(context, resource.resourceType));
    const wanted: ListWanted<typeof table> =
      searchedColumnsOf(table) === undefined
        ? { visible, search: text }
        : { visible, sought: [await soughtBy(table, text, idsNamed)] };
    const bounds = { limit, most_read: mostReadOfEach };
    const { rows, is_all } = await context.store.glanceAtList(table, wanted, bounds);
    const permissions = await permissionsOfActor(context);
    return { records: rows.map((row) => listedView({ table, ...resource }, row, permissions)), is_all };
  };
}
