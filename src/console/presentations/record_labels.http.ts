import type { AdminContext } from "../../admin/access/actor.ts";
import { isExposed } from "../../admin/changes/record_view.ts";
import { type Labels, labelsOf, type Reference, unnamedSeen } from "../../admin/reports/labels.ts";
import { type Resource, resourceOf, resources } from "../../admin/resources/resources.ts";
import { deviceName, deviceOf } from "../../people/core/notices/device.view.ts";
import type { TableName } from "../../records/definition/definition.ts";
import { type ResourceType, resourceTypeOfTable } from "../../records/definition/permissions.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { isUuid } from "../../records/formats/check.ts";
import { describedIn } from "../../records/formats/metadata.ts";
import { isObject, isStrings } from "../../records/names/json_shapes.ts";
import type { RecordState } from "../../records/names/liveness.ts";
import { codeOf } from "../../web/words/language.ts";
import { tableTitle } from "../fields/event_title.view.ts";
import { valueWord } from "../fields/field_label.view.ts";
import type { ListedRecord, ShownField } from "../fields/fields.view.ts";
import { type ConsoleLocale, type ConsoleUser, resourceTypeHref } from "../frame/console_frame.view.ts";
import { referenceOf, shapeOf } from "./field_shapes.http.ts";
import { presentations } from "./presentations.http.ts";

interface Describer {
  /**
   * Returns a record's label. If the label has several fields, leaves out `without`, whose value all records
   * in the list share.
   */
  name(resource: Resource, view: PublicView, without?: string, named_by?: readonly string[]): string;
  /** Returns what users type to confirm that the record ends; empty if they need not type anything. */
  typed(resource: Resource, view: PublicView): string;
  state(resource: Resource, view: PublicView): RecordState | undefined;
  fields(resource: Resource, view: PublicView, names: readonly string[]): ShownField[];
  listed(resource: Resource, view: PublicView, without?: string): ListedRecord;
}

/**
 * Returns the end of an ID to show in place of a name. The beginning is a timestamp and often the same (RFC
 * 9562, section 5.7).
 */
export const endOfId = (id: string) => id.slice(-12);

function recordHref({ resourceType }: Resource, view: PublicView): string {
  const { addressed_by = "id" } = presentations[resourceType];
  return `${resourceTypeHref(resourceType)}/${encodeURIComponent(String(view[addressed_by]))}`;
}

export const shownResourceTypes: readonly ResourceType[] = resources
  .map(({ resourceType }) => resourceType)
  .filter((resourceType) => !presentations[resourceType].own_page);

/** Returns the columns of a list of these records. */
export function columnsFor(
  { resourceType, table }: Resource,
  { is_platform_admin }: ConsoleUser,
  records: readonly PublicView[],
): readonly string[] {
  const { columns, rare_columns = {} } = presentations[resourceType];
  const rare = Object.entries(rare_columns).flatMap(([name, usual]) =>
    records.some((view) => view[name] !== usual) ? [name] : [],
  );
  return [...rare, ...columns].filter((name) => isExposed({ platform: is_platform_admin }, table, name));
}

function referenceIn(resource: Resource, view: PublicView, name: string): Reference | undefined {
  const value = view[name];
  if (typeof value !== "string") return undefined;
  const leads = presentations[resource.resourceType].leads?.[name];
  if (leads !== undefined) return leads(view);
  const table = referenceOf(resource, name);
  return table === undefined ? undefined : { table, id: value };
}

function listedIn(resource: Resource, view: PublicView, name: string): Reference[] {
  const table = shapeOf(resource, name)?.ids_of;
  const ids = view[name];
  return table === undefined || !isStrings(ids) ? [] : ids.map((id) => ({ table, id }));
}

/** Returns the references in these fields of a record. */
export function referencesIn(
  resource: Resource,
  view: PublicView,
  names: readonly string[] = Object.keys(view),
): Reference[] {
  return names.flatMap((name) => referenceIn(resource, view, name) ?? listedIn(resource, view, name));
}

/**
 * Returns a `Describer` after looking up the names of all referenced records, in a bounded number of queries.
 */
export async function describerOf(
  admin: AdminContext,
  page: ConsoleLocale,
  records: readonly (readonly [Resource, readonly PublicView[]])[],
): Promise<Describer> {
  const references = records.flatMap(([resource, views]) =>
    views.flatMap((view) => referencesIn(resource, view)),
  );
  return describerBy(await composedLabels(admin, page, references), admin.now(), page);
}

/**
 * A record without a name is labelled by the names of records that it refers to. These may have no name
 * either, so their references are looked up too.
 */
async function composedLabels(
  admin: AdminContext,
  page: ConsoleLocale,
  references: readonly Reference[],
): Promise<Labels> {
  const direct = await unnamedRecords(admin, references);
  const parts = direct.flatMap(partsOf);
  const indirect = await unnamedRecords(admin, parts);
  const labels = await labelsOf(admin, [...references, ...parts, ...indirect.flatMap(partsOf)]);
  const composed = new Map<string, NonNullable<ReturnType<Labels>>>();
  const called: Labels = (reference) =>
    labels(reference) ?? composed.get(`${reference.table} ${reference.id.toLowerCase()}`);
  const describer = describerBy(called, admin.now(), page);
  for (const { resource, view } of [...indirect, ...direct]) {
    const name = describer.name(resource, view, undefined, calledBy(resource));
    const id = String(view.id);
    composed.set(`${resource.table} ${id}`, { id, name, unique_name: id });
  }
  return called;
}

interface UnnamedRecord {
  readonly resource: Resource;
  readonly view: PublicView;
}

const partsOf = ({ resource, view }: UnnamedRecord) => referencesIn(resource, view, calledBy(resource));

async function unnamedRecords(
  admin: AdminContext,
  references: readonly Reference[],
): Promise<UnnamedRecord[]> {
  const tables = new Set(references.map(({ table }) => table));
  const unnamed = shownResourceTypes.map(resourceOf).filter(({ table }) => tables.has(table));
  const seen = await unnamedSeen(
    admin,
    references,
    unnamed.map(({ table }) => table),
  );
  return unnamed.flatMap((resource) =>
    (seen.find(([table]) => table === resource.table)?.[1] ?? []).map((view) => ({ resource, view })),
  );
}

function calledBy({ resourceType }: Resource): readonly string[] {
  const { named_by, referred_by = named_by } = presentations[resourceType];
  return referred_by;
}

const describedScopes = (all: Readonly<Record<string, unknown>>, language: string) =>
  Object.keys(all).map((scope) => ({ scope, text: describedIn(all, scope, language)?.text }));

/** Returns a `Describer` that uses names which were already looked up. */
export function describerBy(
  labels: Labels,
  now: Date,
  { viewer, words, language }: ConsoleLocale,
): Describer {
  function hrefOf({ table }: Reference, names: ReturnType<Labels>): string | undefined {
    const resourceType = resourceTypeOfTable[table as TableName];
    if (resourceType === undefined || !shownResourceTypes.includes(resourceType)) return undefined;
    // A missing name means that the record was deleted or that the viewer may not read it.
    if (names === undefined) return undefined;
    return `${resourceTypeHref(resourceType)}/${names.id}`;
  }

  function isUnnamed(resource: Resource, view: PublicView, name: string): boolean {
    const reference = referenceIn(resource, view, name);
    return reference !== undefined && labels(reference) === undefined;
  }

  function called(resource: Resource, view: PublicView, name: string): string | undefined {
    const value = view[name];
    if (value === null || value === undefined) return undefined;
    const reference = referenceIn(resource, view, name);
    const label = reference && labels(reference)?.name;
    if (label !== undefined) return label;
    if (reference !== undefined || name === "id") return endOfId(String(value));
    if (name === "user_agent") return String(deviceName(deviceOf(String(value)), words.account.sessions));
    return valueWord(name, String(value), words) ?? String(value);
  }

  const describer: Describer = {
    name(resource, view, without, named_by = presentations[resource.resourceType].named_by) {
      const own = presentations[resource.resourceType].called?.(view, words);
      if (own !== undefined) return own;
      const parts = named_by
        .filter((name) => name !== without || named_by.length === 1)
        .toSorted(
          (one, other) => Number(isUnnamed(resource, view, one)) - Number(isUnnamed(resource, view, other)),
        )
        .flatMap((name) => called(resource, view, name) ?? []);
      return parts.length === 0 ? endOfId(String(view.id)) : parts.join(" · ");
    },
    typed(resource, view) {
      const { typed } = presentations[resource.resourceType];
      return typed === undefined ? "" : (called(resource, view, typed) ?? endOfId(String(view.id)));
    },
    state: ({ resourceType }, view) => presentations[resourceType].state?.(view, now),
    fields: (resource, view, names) =>
      names.flatMap((name): ShownField[] => {
        const shape = shapeOf(resource, name);
        if (shape === undefined || !Object.hasOwn(view, name)) return [];
        const reference = referenceIn(resource, view, name);
        if (reference === undefined) {
          const links = listedIn(resource, view, name).map((each) => {
            const names = labels(each);
            return { value: each.id, label: names?.name, href: hrefOf(each, names) };
          });
          const value = view[name];
          const scopes =
            shape.format === "resource_scopes" && isObject(value)
              ? { scopes: describedScopes(value, codeOf(language)) }
              : {};
          return [{ ...shape, value, ...(links.length > 0 && { links }), ...scopes }];
        }
        const names = labels(reference);
        const noun = isUuid(reference.id) ? tableTitle(reference.table, words) : undefined;
        const shown = { label: names?.name ?? reference.stated, noun };
        return [{ ...shape, value: view[name], ...shown, href: hrefOf(reference, names) }];
      }),
    listed: (resource, view, without) => ({
      id: String(view.id),
      href: recordHref(resource, view),
      name: describer.name(resource, view, without),
      state: describer.state(resource, view),
      fields: describer.fields(resource, view, columnsFor(resource, viewer, [view])),
    }),
  };
  return describer;
}
