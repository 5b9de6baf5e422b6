import { detail } from "../../errors/details.ts";
import { type FieldError, fieldError, type Reason, reason } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { Row } from "../../records/definition/definition.ts";
import { listDirections, sortableColumnsOf } from "../../records/definition/list_orders.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { isUuid, momentOf } from "../../records/formats/check.ts";
import { emailKey, emailKeys } from "../../records/names/email.ts";
import type { ListQuery } from "../../storage/listing/listing.ts";
import { narrowedTo, visibility } from "../access/access.ts";
import { type AdminContext, type EffectivePermissions, permissionsOfActor } from "../access/actor.ts";
import { isText } from "../access/errors.ts";
import { isExposed } from "../changes/record_view.ts";
import { openCursor, sealCursor } from "./cursors.ts";
import { type Reading, representation } from "./manage.ts";
import type { Filter, Resource } from "./resource.ts";
import { searchAmong } from "./search_among.ts";
import { attributeSought } from "./searched_attributes.ts";

export interface RecordPage {
  readonly data: PublicView[];
  /** Null on the last page. Any page may contain fewer records than the limit. */
  readonly next_cursor: string | null;
  readonly previous_cursor: string | null;
  /** The number of matching records, if requested; at most 10,000. */
  readonly total?: number;
  readonly total_is_more?: boolean;
}

const usualLimit = 50;
const highestLimit = 200;

/**
 * Returns a page of the records that the actor may see. `query` has string values for `limit` (1 to 200,
 * default 50), `sort`, `order`, `total`, `cursor` and the resource's filters. Throws 403 `forbidden`, 400
 * `invalid_page` for a bad cursor or limit, and 400 `invalid_filter` for other bad parameters.
 */
export async function listRecords(
  context: AdminContext,
  resource: Resource,
  query: Readonly<Record<string, string>>,
  { within }: { readonly within?: string | undefined } = {},
): Promise<RecordPage> {
  const visible = narrowedTo(within, resource.table, await visibility(context, resource.resourceType));
  const actorPermissions = await permissionsOfActor(context);
  const { limit, cursor, sort, order, total, ...input } = query;
  const { table } = resource;
  const found = errorsOfOrder(resource, actorPermissions, { sort, order, total });
  const requested = {
    ...readFilters(resource.filters.filter(isOffered(resource, actorPermissions)), input, found),
    ...orderOf(resource, { sort, order, total }),
  };
  const among = await searchAmong(context, table, requested);
  const filtered = { ...resource, organization_id: organizationOf(requested) ?? within };
  const sought = [
    ...(among.sought ?? []),
    ...(await attributeSought(context, filtered, requested.attribute)),
  ];
  const wanted = { ...requested, ...among, sought, visible };
  const page = await context.store.listPage(table, {
    ...wanted,
    limit: readLimit(limit),
    cursor: cursor === undefined ? undefined : openCursor(context, table, requested, cursor),
  });
  const sealed = (place: string | null) =>
    place === null ? null : sealCursor(context, table, requested, place);
  return {
    data: page.rows.map((row) => listedView(resource, row, actorPermissions)),
    next_cursor: sealed(page.next_cursor),
    previous_cursor: sealed(page.previous_cursor),
    ...(total === "true" && (await context.store.countListed(table, wanted))),
  };
}

/**
 * Returns the columns by which the actor may sort. Columns that the actor cannot see are left out, because
 * the order would reveal their values.
 */
export function sortsOf(
  { table }: Pick<Resource, "table">,
  actorPermissions: Pick<EffectivePermissions, "platform">,
): readonly string[] {
  return sortableColumnsOf(table).filter((name) => isExposed(actorPermissions, table, name));
}

type OrderRequest = Readonly<Record<"sort" | "order" | "total", string | undefined>>;

function errorsOfOrder(
  resource: Resource,
  actorPermissions: Pick<EffectivePermissions, "platform">,
  { sort, order, total }: OrderRequest,
): FieldError[] {
  const among = (name: string, value: string | undefined, values: readonly string[]) =>
    value === undefined || values.includes(value) ? [] : [fieldError(`/${name}`, "not_one_of", { values })];
  return [
    ...among("sort", sort, sortsOf(resource, actorPermissions)),
    ...among("order", order, listDirections),
    ...(total === undefined || total === "true" || total === "false"
      ? []
      : [fieldError("/total", "not_boolean")]),
  ];
}

function orderOf(
  { newest_first = false }: Resource,
  { sort, order }: OrderRequest,
): Pick<Requested, "sort" | "descending"> {
  const usual = sort === undefined && newest_first;
  return { sort, descending: order === undefined ? usual : order === "desc" };
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return usualLimit;
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > highestLimit) {
    throw new Problem("invalid_page", detail("wrong_limit", { max: highestLimit }), [
      fieldError("/limit", "out_of_page_range", { max: highestLimit }),
    ]);
  }
  return limit;
}

type Requested = Pick<
  ListQuery<Resource["table"]>,
  "where" | "search" | "created_from" | "created_before" | "sort" | "descending"
> & { readonly attribute?: string };

function organizationOf({ where }: Requested): string | undefined {
  const { organization_id: id } = (where ?? {}) as { readonly organization_id?: unknown };
  return typeof id === "string" ? id : undefined;
}

/**
 * Returns a predicate for filters that the actor may use. A filter on a hidden column would reveal its
 * values.
 */
export function isOffered({ table }: Resource, actorPermissions: Pick<EffectivePermissions, "platform">) {
  return ({ to }: Filter): boolean => isExposed(actorPermissions, table, to);
}

function readFilters(
  filters: readonly Filter[],
  input: Readonly<Record<string, string>>,
  found: readonly FieldError[],
): Requested {
  const errors = [...found];
  const where: Record<string, unknown> = {};
  const requested: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(input)) {
    const filter = filters.find((each) => each.name === name);
    const read = filter === undefined ? unknownFilter(filters) : readFilter(filter, text);
    if ("code" in read) errors.push({ path: `/${name}`, ...read });
    else if (filter !== undefined && ofTheList.includes(filter.to)) requested[filter.to] = read.value;
    else if (filter !== undefined) where[filter.to] = both(where[filter.to], read.value);
  }
  if (errors.length > 0) {
    throw new Problem("invalid_filter", detail("wrong_filter"), errors);
  }
  return { ...requested, ...(Object.keys(where).length > 0 ? { where: where as never } : {}) };
}

function both(one: unknown, other: unknown): unknown {
  if (one === undefined) return other;
  const several = Array.isArray(one) ? one : [one];
  return (Array.isArray(other) ? other : [other]).filter((value) => several.includes(value));
}

const ofTheList: readonly string[] = ["search", "attribute", "created_from", "created_before"];

function unknownFilter(filters: readonly Filter[]): Reason {
  return reason("unknown_filter", { filters: filters.map(({ name }) => name) });
}

function eventTypeReason(text: string, types: readonly string[]): Reason {
  const [record = ""] = text.split(".");
  return reason("not_event_type", { similar: types.filter((type) => type.startsWith(`${record}.`)) });
}

function readFilter({ kind, to, values, means }: Filter, text: string): { readonly value: unknown } | Reason {
  if (!isText(text) || text === "") return reason("not_text");
  switch (kind) {
    case "id":
      return isUuid(text) ? { value: text.toLowerCase() } : reason("not_uuid");
    case "bool":
      return text === "true" || text === "false" ? { value: text === "true" } : reason("not_boolean");
    case "time": {
      const moment = momentOf(text);
      return moment === undefined ? reason("not_time") : { value: moment };
    }
    case "word":
      if (values !== undefined && !values.includes(text))
        return to === "type" ? eventTypeReason(text, values) : reason("not_one_of", { values });
      return { value: means?.[text] ?? text };
    case "text":
      return { value: to === "email_key" ? keysOf(text) : text };
    default:
      return kind satisfies never;
  }
}

/**
 * Email addresses that look the same may belong to different users. The filter matches every key under which
 * a user with this address may be stored.
 */
function keysOf(email: string): string | readonly string[] {
  const [key = emailKey(email), ...more] = emailKeys(email);
  return more.length === 0 ? key : [key, ...more];
}

export function listedView(
  resource: Resource,
  row: Row<Resource["table"]>,
  actorPermissions: Reading,
): PublicView {
  const view = representation(resource, row, actorPermissions);
  for (const name of resource.unlisted ?? []) delete view[name];
  return view;
}
