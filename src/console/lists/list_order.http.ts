import { sortsOf } from "../../admin/manage/list_records.ts";
import type { Resource } from "../../admin/resources/resources.ts";
import type { Params } from "../../oauth/core/params.ts";
import { shapeOf } from "../presentations/field_shapes.http.ts";
import { presentations } from "../presentations/presentations.http.ts";
import type { SortLink } from "./record_table.view.ts";

export interface ListOrder {
  readonly sort: string;
  readonly order: string;
}

const usualOrder = (resource: Resource, column: string): "asc" | "desc" =>
  shapeOf(resource, column)?.kind === "time" ? "desc" : "asc";

/** Returns the order of a list: newest first unless the URL names another. */
export function requestedOrder(resource: Resource, params: Params): ListOrder {
  const sort = params.get("sort") ?? "created_at";
  return { sort, order: params.get("order") ?? usualOrder(resource, sort) };
}

export const isUsualOrder = ({ sort, order }: ListOrder): boolean =>
  sort === "created_at" && order === "desc";

/**
 * Returns the links of column headings by column, for columns by which the viewer may sort. The key of a
 * column that alone makes up the record's name is `""`.
 */
export function sortLinks(
  resource: Resource,
  { sort, order }: ListOrder,
  is_platform_admin: boolean,
  hrefOf: (order: ListOrder) => string,
): ReadonlyMap<string, SortLink> {
  const [name, ...more] = presentations[resource.resourceType].named_by;
  return new Map(
    sortsOf(resource, { platform: is_platform_admin }).map((column): [string, SortLink] => {
      const isPresent = column === sort;
      const next = isPresent ? (order === "asc" ? "desc" : "asc") : usualOrder(resource, column);
      const link: SortLink = {
        href: hrefOf({ sort: column, order: next }),
        ...(isPresent && { present: order === "asc" ? "ascending" : "descending" }),
      };
      return [column === name && more.length === 0 ? "" : column, link];
    }),
  );
}
