import { detail } from "../../errors/details.ts";
import { fieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { TableName } from "../../records/definition/definition.ts";
import { listOrdersOf } from "../../records/definition/list_orders.ts";
import type { Owner } from "../../records/definition/ownership.ts";
import type { Database } from "../database/database.ts";
import { type Branch, mostSorted } from "./branches.ts";
import { areFew } from "./probes.ts";

interface Arrangement {
  readonly branches: readonly Branch[];
  readonly by_ids: boolean;
}

/**
 * Above this number of rows, a list by time is read in the order of IDs, which is faster. Both orders are
 * equal, unless a platform administrator chose IDs.
 */
const mostSortedByTime = 1000;

/**
 * Returns the index ranges (branches) from which the list is read. Throws 400 `invalid_filter` if too many
 * rows would have to be sorted.
 */
export async function arranged(
  database: Database,
  table: TableName,
  branches: readonly Branch[],
  column: string | undefined,
  visible: Owner | undefined,
): Promise<Arrangement> {
  if (column === undefined) return { branches, by_ids: true };
  const { indexed } = listOrdersOf(table);
  const byTime = column === "created_at";
  const [first, ...more] = branches;
  const isWhole = first !== undefined && more.length === 0 && isWholeTable(first);
  if (isWhole && indexed.includes(column)) return { branches, by_ids: false };
  if (await areFew(database, table, branches, byTime ? mostSortedByTime : mostSorted))
    return { branches: branches.map((branch) => ({ ...branch, few: true })), by_ids: false };
  if (byTime) return { branches, by_ids: true };
  if (visible === undefined && indexed.includes(column))
    return { branches: [{ columns: {} }], by_ids: false };
  throw new Problem("invalid_filter", detail("too_many_to_sort"), [
    fieldError("/sort", "too_many_to_sort", { max: mostSorted }),
  ]);
}

function isWholeTable({ columns, few, through, words, within }: Branch): boolean {
  return (
    Object.keys(columns).length === 0 &&
    few === undefined &&
    through === undefined &&
    words === undefined &&
    within === undefined
  );
}
