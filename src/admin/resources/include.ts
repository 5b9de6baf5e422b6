/**
 * Implements the query parameter `include`, such as `include=owner,factors`: it adds referenced records and
 * computed values to a response.
 */
import { detail } from "../../errors/details.ts";
import { fieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import { fieldsOf, type TableName } from "../../records/definition/definition.ts";
import { resourceTypeOfTable } from "../../records/definition/permissions.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { type AdminContext, permissionsOfActor } from "../access/actor.ts";
import { seenRows } from "../access/seen_rows.ts";
import { listedView } from "../manage/list_records.ts";
import type { IncludedValue } from "../manage/resource.ts";
import { type Resource, resourceOf } from "./resources.ts";

interface IncludedReference {
  readonly name: string;
  readonly column: string;
  readonly to: Resource;
}

type Include = ReadonlyMap<string, Included>;

type Included = IncludedValue | { readonly reference: IncludedReference; readonly nested: Include };

export function referencesOf({ table }: Pick<Resource, "table">): IncludedReference[] {
  return Object.entries(fieldsOf(table)).flatMap(([column, { references, internal, sensitive }]) => {
    const resourceType = references && resourceTypeOfTable[references.table as TableName];
    if (resourceType === undefined || internal || sensitive) return [];
    return [{ name: column.replace(/_id$/, ""), column, to: resourceOf(resourceType) }];
  });
}

type Including = Pick<Resource, "table" | "includes">;

const valuesOf = ({ includes = {} }: Including) => Object.entries(includes);

/** Returns the values that `include` accepts, such as `owner` or `app.owner`. */
export function includableOf(resource: Including): string[] {
  return [
    ...referencesOf(resource).flatMap(({ name, to }) => [
      name,
      ...referencesOf(to).map((further) => `${name}.${further.name}`),
    ]),
    ...valuesOf(resource).map(([name]) => name),
  ];
}

const nothing: Readonly<Include> = new Map();

/**
 * Parses the value of `include`; repeated names count once. Throws 400 `invalid_filter` with the accepted
 * names for an unknown name.
 */
export function readInclude(resource: Resource, text: string | undefined): Include {
  if (text === undefined) return nothing;
  const values = includableOf(resource);
  const names = text.split(",");
  if (names.some((name) => !values.includes(name))) {
    const error =
      values.length === 0
        ? fieldError("/include", "unknown_parameter")
        : fieldError("/include", "not_one_of", { values });
    throw new Problem("invalid_filter", detail("wrong_parameter"), [error]);
  }
  return treeOf(
    resource,
    names.map((name) => name.split(".")),
  );
}

function treeOf(resource: Including, paths: readonly (readonly string[])[]): Include {
  const values = valuesOf(resource).filter(([name]) => paths.some(([first]) => first === name));
  return new Map<string, Included>([
    ...referencesOf(resource).flatMap((reference) => {
      const chosen = paths.filter(([first]) => first === reference.name);
      if (chosen.length === 0) return [];
      const further = chosen.map(([, ...rest]) => rest).filter((rest) => rest.length > 0);
      return [[reference.name, { reference, nested: treeOf(reference.to, further) }] as const];
    }),
    ...values,
  ]);
}

/**
 * Returns the records with a field `included`, which contains each included record or value by name. An entry
 * is null if the record or value does not exist or the actor may not read it.
 */
export async function withIncluded(
  context: AdminContext,
  views: readonly PublicView[],
  include: Include,
): Promise<PublicView[]> {
  if (include.size === 0) return [...views];
  const found = await Promise.all(
    [...include].map(async ([name, included]) => {
      if ("of" in included) return [name, "id", await included.of(context, views)] as const;
      const { reference, nested } = included;
      const ids = views.map((view) => view[reference.column]).filter((id) => typeof id === "string");
      const seen = await seenRecords(context, reference.to, ids);
      const whole = await withIncluded(context, [...seen.values()], nested);
      return [
        name,
        reference.column,
        new Map<unknown, unknown>(whole.map((view) => [view.id, view])),
      ] as const;
    }),
  );
  return views.map((view) => ({
    ...view,
    included: Object.fromEntries(
      found.map(([name, column, records]) => [name, records.get(view[column]) ?? null]),
    ),
  }));
}

/**
 * In characters of JSON. The limit is needed because a referenced record is repeated in every record that
 * refers to it.
 */
const mostIncluded = 2_000_000;

/** Throws 400 `invalid_page` if the included records make a page of several records too large. */
export function requireIncludedFits(views: readonly PublicView[]): void {
  const known = new Map<unknown, number>();
  const lengthOf = (record: unknown) => {
    const length = known.get(record) ?? JSON.stringify(record).length;
    known.set(record, length);
    return length;
  };
  let total = 0;
  for (const { included } of views) {
    for (const record of Object.values(included ?? {})) total += lengthOf(record);
  }
  if (total <= mostIncluded || views.length <= 1) return;
  const max = Math.max(1, Math.floor((views.length * mostIncluded) / total));
  const error = fieldError("/limit", "out_of_range", { min: 1, max });
  throw new Problem("invalid_page", detail("wrong_limit", { max }), [error]);
}

async function seenRecords(
  context: AdminContext,
  resource: Resource,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PublicView>> {
  const rows = await seenRows(context, resource.resourceType, ids);
  const actorPermissions = await permissionsOfActor(context);
  return new Map(rows.map((row) => [row.id, listedView(resource, row, actorPermissions)]));
}
