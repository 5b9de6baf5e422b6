/**
 * Pages of records, each at the same cost however large the table is: from the end of the previous page, in
 * the order of an index.
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
import { type Total, totalOf } from "./totals.ts";

export interface ListQuery<T extends TableName> {
  /** Columns that must equal a value; null means that there is none, an array that one of several is. */
  readonly where?: Where<T>;
  /** The owners of the listed rows: one of the organizations, or the user. Absent: all owners. */
  readonly visible?: Owner | undefined;
  /**
   * Words; each must be contained in a word of a searchable field, or begin one if it is shorter than three.
   */
  readonly search?: string | undefined;
  /** Further conditions on the rows, for tables whose records have no words. */
  readonly sought?: readonly Sought[] | undefined;
  /** Made at this moment or later. */
  readonly created_from?: Date | undefined;
  /** Made before this moment. */
  readonly created_before?: Date | undefined;
  /** Rows of a page, at most; 1 or more. */
  readonly limit: number;
  /** The `next_cursor` of the previous page, requested with the same query. */
  readonly cursor?: string | undefined;
  /**
   * One of the table's `sortableColumnsOf`. Absent: ids, which are in order of time unless a caller chose
   * them.
   */
  readonly sort?: string | undefined;
  /** From the end of that order. */
  readonly descending?: boolean | undefined;
}

/** The query that determines the rows of a list, without their order. */
export type ListWanted<T extends TableName> = Pick<
  ListQuery<T>,
  "where" | "visible" | "search" | "sought" | "created_from" | "created_before"
>;

export interface Page<T extends TableName> {
  readonly rows: Row<T>[];
  /** Leads to the next page; null on the last. */
  readonly next_cursor: string | null;
  /** Leads to the page before; null on the first. */
  readonly previous_cursor: string | null;
}

/** Milliseconds by which an id may have been made before or after its row's `created_at`. */
const idTolerance = 60_000;

/** The ids that the rows of a page may have. */
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

/** The result of reading a list: rows in reading order, and the directions with more. */
interface Reading<T extends TableName> {
  readonly rows: Row<T>[];
  /** Reading continues after this position; undefined at the end of the list. */
  readonly next: Place | undefined;
}

/** The pages of several branches as one: as far as each of them was read, every row once. */
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

/** Which rows a list has; undefined if there can be none. */
function wantedBy<T extends TableName>(
  table: T,
  { where = {}, visible, search, sought, created_from, created_before }: ListWanted<T>,
): Wanted<T> | undefined {
  const terms = search === undefined || search.trim() === "" ? [] : termsOf(search);
  // Words that are none, such as "---", begin no word.
  if (terms === undefined || (terms.length > 0 && !searchableTables.has(table))) return undefined;
  return { where, visible, terms, sought, created_from, created_before };
}

export function listingRules(database: Database) {
  /** The rows read in one direction, from a position or from the beginning. */
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
    /** Up to `limit` rows of the list, of the `most_read` that are read for it (`glance.ts`). */
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
    /** How many rows the list has, at a cost that is bounded however long it is. */
    async countListed<T extends TableName>(table: T, query: ListWanted<T>): Promise<Total> {
      const wanted = wantedBy(table, query);
      if (wanted === undefined) return { total: 0, total_is_more: false };
      const branches = await planBranches(database, table, wanted);
      return totalOf(database, table, wanted, branches, idsOf(table, query));
    },
    /**
     * One page. Where few rows match a condition without an index, a page reads some thousands of rows and
     * then ends (for example, revoked tokens of an app that has hundreds of thousands). It may hold fewer
     * rows than `limit`, or none, and still have a next page. Only a null cursor marks the end in its
     * direction. Rows that exist throughout are listed exactly once, whatever is added meanwhile. Throws
     * `Problem` 400 `invalid_page` for an invalid cursor, 400 `invalid_filter` where too many rows would have
     * to be sorted.
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
        // The first page is a whole one, though rows were added to it since.
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

/** The position directly after this one, from which its row is read in reverse. */
function beyond({ key, id }: Place, descending: boolean): Place {
  return { key, id: descending ? idBefore(id) : idAfter(id) };
}

export type ListingRules = ReturnType<typeof listingRules>;
