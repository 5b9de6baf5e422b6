import { Problem } from "../errors.ts";
import { isUuid } from "../records/check.ts";
import type { Row, TableName } from "../records/definition.ts";
import type { Verbs, Where } from "../storage/verbs.ts";

/** One page of a list, in the order in which the records were made. */
export interface Page<R> {
  readonly data: R[];
  /** Give it as `cursor` to get the next page; null after the last. */
  readonly next_cursor: string | null;
}

export interface PageOptions {
  /** 1 to 200, 50 when absent. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** The rows that fit, a page of them. Throws 422 `invalid_page` for a limit or cursor that is none. */
export async function listPage<T extends TableName>(
  store: Pick<Verbs, "list">,
  table: T,
  where: Where<T>,
  { limit = 50, cursor }: PageOptions = {},
): Promise<Page<Row<T>>> {
  if (!Number.isInteger(limit) || limit < 1 || limit > 200) {
    throw new Problem(422, "invalid_page", "limit is a whole number from 1 to 200");
  }
  if (cursor !== undefined && !isUuid(cursor)) {
    throw new Problem(422, "invalid_page", "cursor is the next_cursor of an earlier page");
  }
  const rows = await store.list(table, where, { limit: limit + 1, after: cursor?.toLowerCase() });
  const data = rows.slice(0, limit);
  return { data, next_cursor: rows.length > limit ? (data.at(-1) as { id: string }).id : null };
}
