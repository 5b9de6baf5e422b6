import type { AdminContext } from "../../admin/access/actor.ts";
import { isOffered } from "../../admin/manage/list_records.ts";
import { searchedAttributes } from "../../admin/manage/searched_attributes.ts";
import { labelsOf } from "../../admin/reports/labels.ts";
import type { Filter, Resource } from "../../admin/resources/resources.ts";
import type { FieldError } from "../../errors/field_errors.ts";
import type { Params } from "../../oauth/core/params.ts";
import { knownValuesOf } from "../../records/definition/known_values.ts";
import { type SearchedColumns, searchedColumnsOf } from "../../records/definition/searched_columns.ts";
import type { FieldControl } from "../fields/fields.view.ts";
import { idMeant, suggestionsFor } from "../forms/natural_names.http.ts";
import { readTime } from "../forms/read_form.http.ts";
import type { ErrorsByField } from "../forms/record_form.http.ts";
import type { ConsoleLocale } from "../frame/console_frame.view.ts";
import { referenceOf } from "../presentations/field_shapes.http.ts";

export type ListRequest = Readonly<Record<string, string>>;

export function listRequestOf({ filters }: Resource, params: Params): ListRequest {
  return Object.fromEntries(
    filters.flatMap(({ name }) => {
      const text = params.get(name)?.trim();
      return text === undefined || text === "" ? [] : [[name, text]];
    }),
  );
}

/**
 * Returns the organization that the viewer chose for the console; undefined if the URL filters the list by
 * organization.
 */
export function withinOf(
  { within }: { readonly within: string | undefined },
  requested: ListRequest,
): string | undefined {
  return requested.organization_id === undefined ? within : undefined;
}

/**
 * Returns the table to which the column refers. A column without a foreign key, which may contain IDs of
 * deleted records, can refer to a table too.
 */
function tableMeant(resource: Resource, column: string): string | undefined {
  const { named_by = {} }: Partial<SearchedColumns> = searchedColumnsOf(resource.table) ?? {};
  return (
    referenceOf(resource, column) ??
    named_by[column] ??
    (column === "organization_id" ? "organizations" : undefined)
  );
}

/** Converts filters from the URL for `listRecords`: names become IDs, and times without a zone are in UTC. */
export async function queryOf(
  admin: AdminContext,
  resource: Resource,
  requested: ListRequest,
): Promise<{ query: Record<string, string>; errors: ErrorsByField }> {
  const query: Record<string, string> = { ...requested };
  const errors: Record<string, readonly FieldError[]> = {};
  for (const { name, kind, to } of resource.filters) {
    const text = requested[name];
    if (text === undefined) continue;
    if (kind === "time") {
      const read = readTime(text);
      if ("value" in read) query[name] = read.value;
    }
    const table = tableMeant(resource, to);
    if (table === undefined) continue;
    const meant = await idMeant(admin, table, text);
    if ("id" in meant) query[name] = meant.id;
    // In a filter by text, a name that no record has is allowed, because the column may contain other text.
    else if (kind === "id") errors[name] = [{ path: `/${name}`, ...meant.error }];
  }
  return { query, errors };
}

const kinds = { id: "uuid", text: "string", bool: "bool", time: "time", word: "string" } as const;

export async function filterControls(
  admin: AdminContext,
  page: ConsoleLocale,
  resource: Resource,
  requested: ListRequest,
  errors: ErrorsByField,
  within?: string,
): Promise<FieldControl[]> {
  const organization_id = within ?? requested.organization_id;
  const attributes = await searchedAttributes(admin, { ...resource, organization_id });
  const offered = resource.filters
    .filter(isOffered(resource, { platform: page.viewer.is_platform_admin }))
    .filter(({ name }) => within === undefined || name !== "organization_id")
    .filter(({ to }) => to !== "attribute" || attributes.length > 0);
  const references = offered.flatMap(({ name, to }) => {
    const [table, id] = [tableMeant(resource, to), requested[name]];
    return table === undefined || id === undefined ? [] : [{ table, id }];
  });
  const labels = await labelsOf(admin, references);
  return offered.map(({ name, kind, values, to }: Filter): FieldControl => {
    const table = tableMeant(resource, to);
    const known = values ?? (kind === "text" ? knownValuesOf(resource.table, to) : undefined);
    const id = requested[name] ?? "";
    return {
      name,
      kind: kinds[kind],
      required: false,
      ...(known !== undefined && { values: known }),
      ...(table !== undefined && { suggestions: suggestionsFor(table) }),
      ...(to === "search" && { format: "search" }),
      ...(to === "attribute" && {
        help: "attribute",
        beginnings: attributes.map((each) => `${each.name}:`),
      }),
      value: (table !== undefined && labels({ table, id })?.unique_name) || id,
      error: errors[name]?.[0],
    };
  });
}
