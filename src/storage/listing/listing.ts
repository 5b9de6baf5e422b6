/**
 * Pages of records. Each page continues from the end of the previous one in the order of an index, so its
 * cost does not depend on the size of the table.
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
  /** Columns that must equal a value. Null matches null; an array matches any of its values. */
  readonly where?: Where<T>;
  /**
   * The owner of the listed rows: one of the organizations, or the user. If absent, rows of all owners are
   * listed.
   */
  readonly visible?: Owner | undefined;
  /**
   * Search words. Each must occur in a word of a searchable field. A search word of one or two characters
   * must be the beginning of a word.
   */
  readonly search?: string | undefined;
  readonly sought?: readonly Sought[] | undefined;
  readonly created_from?: Date | undefined;
  readonly created_before?: Date | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
  /**
   * One of the table's `sortableColumnsOf`. If absent, the list is sorted by id, which is the order of
   * creation unless a caller chose the ids.
   */
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

/** Maximum difference between the time in an id and its row's `created_at`, in milliseconds. */
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
  // A search string without letters or digits, such as "---", has no terms and matches nothing.
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
      // Counting needs no order, so the index of an attribute's value is used even if the value is frequent.
      const isByValue = query.visible === undefined && query.sought?.some((each) => "value" in each);
      const branches = await planBranches(database, table, wanted, isByValue ? mostMet : undefined);
      return totalOf(database, table, wanted, branches, idsOf(table, query));
    },
    /**
     * Returns one page. If no index finds the few rows that match, for example the revoked tokens of an app
     * with hundreds of thousands of tokens, the page ends after some thousands of rows have been read. It may
     * then hold fewer rows than `limit`, or none, and still have a next page; only a null cursor marks the
     * end in its direction. Rows added between two requests never cause another row to be repeated or
     * omitted. Throws `Problem` 400 `invalid_page` for an invalid cursor, and 400 `invalid_filter` if too
     * many rows would have to be sorted.
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
        // The first page must be full, even if rows were added after its cursor was created.
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

/** A reverse read that starts directly after a position includes the row at this position. */
function beyond({ key, id }: Place, descending: boolean): Place {
  return { key, id: descending ? idBefore(id) : idAfter(id) };
}

export type ListingRules = ReturnType<typeof listingRules>;
