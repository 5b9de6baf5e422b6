/**
 * Reads pages of records. Each page continues at the end of the previous one, so its cost does not depend on
 * the size of the table.
 */
import type { Row, TableName } from "../../records/definition/definition.ts";
import { listOrdersOf } from "../../records/definition/list_orders.ts";
import type { Owner } from "../../records/definition/ownership.ts";
import type { Database } from "../database/database.ts";
import { firstId, firstIdAt, idAfter, idBefore, lastId } from "../database/ids.ts";
import { searchableTables, termsOf } from "../database/search_words.ts";
import type { Where } from "../database/verbs.ts";
import { arranged } from "./arrangement.ts";
import { type BranchPage, readBranch, type Sought, type Stretch, type Wanted } from "./branches.ts";
import { type Glance, glanceAt } from "./glance.ts";
import { comparedPlaces, type Place, placeIn, readCursor, writtenCursor } from "./order.ts";
import { planBranches } from "./plan_branches.ts";
import { mostMet, type Total, totalOf } from "./totals.ts";

export interface ListQuery<T extends TableName> {
  /** Null matches null, and an array any of its values. */
  readonly where?: Where<T>;
  /** Without `visible`, all rows are listed. */
  readonly visible?: Owner | undefined;
  /** Search words, each of which must occur in a word of a searchable field. */
  readonly search?: string | undefined;
  readonly sought?: readonly Sought[] | undefined;
  readonly created_from?: Date | undefined;
  readonly created_before?: Date | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Without `sort`, the list is in the order of IDs, which is usually the order of creation. */
  readonly sort?: string | undefined;
  readonly descending?: boolean | undefined;
}

export type ListWanted<T extends TableName> = Pick<
  ListQuery<T>,
  "where" | "visible" | "search" | "sought" | "created_from" | "created_before"
>;

export interface Page<T extends TableName> {
  readonly rows: Row<T>[];
  readonly next_cursor: string | null;
  readonly previous_cursor: string | null;
}

/** Maximum difference in milliseconds between the time in an ID and `created_at`. */
const idTolerance = 60_000;

function idsOf<T extends TableName>(
  table: T,
  { created_from, created_before }: ListWanted<T>,
): Pick<Stretch, "above" | "below"> {
  const byTime = listOrdersOf(table).ids_hold_time;
  const [from, before] = byTime ? [created_from, created_before] : [];
  return {
    above: from === undefined ? firstId : firstIdAt(from.getTime() - idTolerance),
    below: before === undefined ? lastId : firstIdAt(before.getTime() + idTolerance),
  };
}

interface Reading<T extends TableName> {
  readonly rows: Row<T>[];
  readonly next: Place | undefined;
}

function merged<T extends TableName>(
  pages: readonly BranchPage<T>[],
  limit: number,
  { sort, by_ids, descending }: Stretch,
): Reading<T> {
  const compared = (one: Place, other: Place) => comparedPlaces(one, other, by_ids) * (descending ? -1 : 1);
  const ends = pages.flatMap(({ end }) => (end === undefined ? [] : [end]));
  const [horizon] = ends.toSorted(compared);
  const byId = new Map<string, { place: Place; row: Row<T> }>();
  for (const { rows } of pages) {
    for (const row of rows) {
      const place = placeIn(sort, row);
      if (horizon === undefined || compared(place, horizon) <= 0) byId.set(place.id, { place, row });
    }
  }
  const found = [...byId.values()].sort((one, other) => compared(one.place, other.place));
  const taken = found.slice(0, limit);
  return {
    rows: taken.map(({ row }) => row),
    next: found.length > limit ? taken.at(-1)?.place : horizon,
  };
}

function wantedBy<T extends TableName>(
  table: T,
  { where = {}, visible, search, sought, created_from, created_before }: ListWanted<T>,
): Wanted<T> | undefined {
  const terms = search === undefined || search.trim() === "" ? [] : termsOf(search);
  // A search without any letter or digit finds nothing.
  if (terms === undefined || (terms.length > 0 && !searchableTables.has(table))) return undefined;
  return { where, visible, terms, sought, created_from, created_before };
}

export function listingRules(database: Database) {
  async function reading<T extends TableName>(
    table: T,
    query: ListQuery<T>,
    behind: Place | undefined,
    descending: boolean,
  ): Promise<Reading<T>> {
    const { visible, limit, sort } = query;
    const wanted = wantedBy(table, query);
    if (wanted === undefined) return { rows: [], next: undefined };
    const planned = await planBranches(database, table, wanted);
    const { branches, by_ids } = await arranged(database, table, planned, sort, visible);
    const stretch = { ...idsOf(table, query), sort, by_ids, behind, descending };
    const pages = await Promise.all(
      branches.map((branch) => readBranch(database, table, wanted, branch, stretch, limit)),
    );
    return merged(pages, limit, stretch);
  }

  return {
    async glanceAtList<T extends TableName>(
      table: T,
      query: ListWanted<T>,
      bounds: { readonly limit: number; readonly most_read: number },
    ): Promise<Glance<T>> {
      const wanted = wantedBy(table, query);
      if (wanted === undefined) return { rows: [], is_all: true };
      const branches = await planBranches(database, table, wanted, bounds.most_read);
      return glanceAt(database, table, wanted, branches, bounds);
    },
    async countListed<T extends TableName>(table: T, query: ListWanted<T>): Promise<Total> {
      const wanted = wantedBy(table, query);
      if (wanted === undefined) return { total: 0, total_is_more: false };
      // A count needs no order, so the index of an attribute value can be used even for frequent values.
      const isByValue = query.visible === undefined && query.sought?.some((each) => "value" in each);
      const branches = await planBranches(database, table, wanted, isByValue ? mostMet : undefined);
      return totalOf(database, table, wanted, branches, idsOf(table, query));
    },
    /**
     * If few rows match, reading may stop early; only a null `next_cursor` marks the end. Throws 400
     * `invalid_page` for an invalid cursor, and 400 `invalid_filter` if too many rows would have to be
     * sorted.
     */
    async listPage<T extends TableName>(table: T, requested: ListQuery<T>): Promise<Page<T>> {
      const byIds = requested.sort === "created_at" && listOrdersOf(table).ids_hold_time;
      const query = byIds ? { ...requested, sort: undefined } : requested;
      const { sort, descending = false, cursor } = query;
      const from = cursor === undefined ? undefined : readCursor(table, sort, cursor);
      const cursorText = (place: Place | undefined, backwards: boolean) =>
        place === undefined ? null : writtenCursor({ place, backwards });
      const at = (row: Row<T> | undefined) => row && placeIn(sort, row);
      if (from?.backwards) {
        const { rows, next } = await reading(table, query, from.place, !descending);
        // Fewer rows precede than a page holds, for example after rows were deleted, so the first page is
        // returned.
        if (next === undefined && rows.length < query.limit) {
          const { cursor: _, ...first } = query;
          return this.listPage(table, first);
        }
        rows.reverse();
        return {
          rows,
          next_cursor: cursorText(at(rows.at(-1)) ?? next, false),
          previous_cursor: cursorText(next, true),
        };
      }
      const { rows, next } = await reading(table, query, from?.place, descending);
      const before = at(rows[0]) ?? next ?? (from && beyond(from.place, descending));
      return {
        rows,
        next_cursor: cursorText(next, false),
        previous_cursor: from === undefined ? null : cursorText(before, true),
      };
    },
  };
}

/** A backward read from this position includes the row at it. */
function beyond({ key, id }: Place, descending: boolean): Place {
  return { key, id: descending ? idBefore(id) : idAfter(id) };
}

export type ListingRules = ReturnType<typeof listingRules>;
