/**
 * Encrypts the cursors of paged lists, so that they do not reveal values of records. A cursor is valid only
 * for the same actor and list.
 */
import { SealError } from "../../crypto/sealing.ts";
import { detail } from "../../errors/details.ts";
import { Problem } from "../../errors.ts";
import type { TableName } from "../../records/definition/definition.ts";
import type { ListQuery } from "../../storage/listing/listing.ts";
import { type AdminContext, nameOfActor, sealerOf } from "../access/actor.ts";

type ListRequest = Pick<
  ListQuery<TableName>,
  "where" | "search" | "created_from" | "created_before" | "sort" | "descending"
>;

/** Returns a cursor that contains the position `place` in the list. */
export function sealCursor(
  context: AdminContext,
  table: TableName,
  requested: ListRequest,
  place: string,
): string {
  return sealerOf(context).seal("cursor", place, belonging(context, table, requested));
}

/**
 * Returns the position in the list that a cursor contains. Throws 400 `invalid_page` for an invalid cursor,
 * or one for another actor or list.
 */
export function openCursor(
  context: AdminContext,
  table: TableName,
  requested: ListRequest,
  cursor: string,
): string {
  try {
    return sealerOf(context).open("cursor", cursor, belonging(context, table, requested));
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw new Problem("invalid_page", detail("wrong_cursor"));
  }
}

function belonging(
  { actor }: AdminContext,
  table: TableName,
  { where = {}, search, created_from, created_before, sort, descending = false }: ListRequest,
): string {
  const columns = Object.entries(where).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([
    nameOfActor(actor),
    table,
    columns,
    search,
    created_from,
    created_before,
    sort,
    descending,
  ]);
}
