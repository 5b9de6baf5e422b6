/** What narrows a list of the console: filters as they are typed, and the menus of their values. */
import type { AdminContext } from "../../admin/access/actor.ts";
import { isOffered, listRecords } from "../../admin/list_records.ts";
import { type Filter, type Resource, resourceOf } from "../../admin/resources/resources.ts";
import type { FieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { Params } from "../../oauth/params.ts";
import type { TableName } from "../../records/definition.ts";
import { knownValuesOf } from "../../records/known_values.ts";
import { type ResourceType, resourceTypeOfTable } from "../../records/permissions.ts";
import type { ConsoleLocale } from "../../web/console/console_frame.ts";
import type { AskedField } from "../../web/console/fields.ts";
import { idMeant } from "./natural_names.ts";
import { presentations } from "./presentations.ts";
import { referenceOf } from "./record_fields.ts";
import { type ErrorsByField, readTime } from "./record_form.ts";
import { describerOf } from "./record_labels.ts";

/** The filters that are set, as they were typed, by their names. */
export type AskedFor = Readonly<Record<string, string>>;

export function askedFor({ filters }: Resource, params: Params): AskedFor {
  return Object.fromEntries(
    filters.flatMap(({ name }) => {
      const text = params.get(name)?.trim();
      return text === undefined || text === "" ? [] : [[name, text]];
    }),
  );
}

/** The table of the records that a column names, which may be gone since. */
const tableMeant = (resource: Resource, column: string): string | undefined =>
  referenceOf(resource, column) ?? (column === "organization_id" ? "organizations" : undefined);

/**
 * What the filters mean to the management: references by what people call them, times without a zone in UTC.
 */
export async function queryOf(
  admin: AdminContext,
  resource: Resource,
  asked: AskedFor,
): Promise<{ query: Record<string, string>; errors: ErrorsByField }> {
  const query: Record<string, string> = { ...asked };
  const errors: Record<string, readonly FieldError[]> = {};
  for (const { name, kind, to } of resource.filters) {
    const text = asked[name];
    if (text === undefined) continue;
    if (kind === "time") {
      const read = readTime(text);
      if ("value" in read) query[name] = read.value;
    }
    const table = kind === "id" ? tableMeant(resource, to) : undefined;
    if (table === undefined) continue;
    const meant = await idMeant(admin, table, text);
    if ("id" in meant) query[name] = meant.id;
    else errors[name] = [{ path: `/${name}`, ...meant.error }];
  }
  return { query, errors };
}

/** The resource types of which a list has few enough for a menu, as a rule. */
const inMenus: readonly ResourceType[] = ["apps", "organizations", "providers", "service_accounts"];

/** Records of a menu; where there are more, their name is typed. */
const longestMenu = 50;

/** The records that a filter may be set to, by their ids; undefined where they are too many for a menu. */
async function menuOf(
  admin: AdminContext,
  page: ConsoleLocale,
  table: string,
): Promise<readonly { value: string; label: string }[] | undefined> {
  const resourceType = resourceTypeOfTable[table as TableName];
  if (resourceType === undefined || !inMenus.includes(resourceType)) return undefined;
  if (!page.viewer.resourceTypes.has(resourceType)) return undefined;
  const resource = resourceOf(resourceType);
  const query = { limit: String(longestMenu + 1), sort: nameOf(resourceType) };
  const { data, next_cursor } = await listRecords(admin, resource, query).catch((error: unknown) => {
    // Too many to be put in order are too many for a menu.
    if (error instanceof Problem && error.status < 500) return { data: [], next_cursor: "more" };
    throw error;
  });
  if (next_cursor !== null || data.length === 0) return undefined;
  const describer = await describerOf(admin, page, [[resource, data]]);
  return data.map((view) => ({ value: String(view.id), label: describer.name(resource, view) }));
}

const nameOf = (resourceType: ResourceType): string =>
  presentations[resourceType].named_by[0] ?? "created_at";

const kinds = { id: "uuid", text: "string", bool: "bool", time: "time", word: "string" } as const;

/** The controls of the filters that the reader may set. */
export async function filterControls(
  admin: AdminContext,
  page: ConsoleLocale,
  resource: Resource,
  asked: AskedFor,
  errors: ErrorsByField,
): Promise<AskedField[]> {
  const offered = resource.filters.filter(isOffered(resource, { platform: page.viewer.is_platform_admin }));
  return Promise.all(
    offered.map(async (filter: Filter): Promise<AskedField> => {
      const { name, kind, values, to } = filter;
      const table = kind === "id" ? tableMeant(resource, to) : undefined;
      const menu = table === undefined ? undefined : await menuOf(admin, page, table);
      const known = values ?? (kind === "text" ? knownValuesOf(resource.table, to) : undefined);
      return {
        name,
        kind: kinds[kind],
        required: false,
        ...(known !== undefined && { values: known }),
        ...(menu !== undefined && { menu }),
        ...(to === "search" && { format: "search" }),
        value: asked[name] ?? "",
        error: errors[name]?.[0],
      };
    }),
  );
}
