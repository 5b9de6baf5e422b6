/** The members of a record that an actor may see, and those that the audit stores. */
import { isDeepStrictEqual } from "node:util";
import {
  type AttributeDefinition,
  fieldsOf,
  type Row,
  type TableName,
} from "../../records/definition/definition.ts";
import type { JsonObject } from "../../records/definition/field.ts";
import { type PublicView, publicView } from "../../records/definition/view.ts";
import { isObject, isStrings } from "../../records/names/json_shapes.ts";
import { type Attribute, attributesOfRow, recordTypeOf } from "../../records/rules/attributes.ts";
import type { EffectivePermissions } from "../access/actor.ts";

/**
 * The members of a record that this actor may see. Only platform administrators see confidential members of
 * another person's.
 */
export function viewFor<T extends TableName>(
  { platform, user_id, definitions = [] }: Pick<EffectivePermissions, "platform" | "user_id" | "definitions">,
  table: T,
  row: Row<T>,
): PublicView {
  if (platform) return publicView(table, row);
  const view = viewOfReader(user_id, table, row, definitions);
  if (user_id !== null && view.id === user_id) return view;
  for (const [name, { confidential }] of Object.entries(fieldsOf(table))) {
    if (confidential) delete view[name];
  }
  return view;
}

/** The user that a record is about, or the record itself. */
export const subjectOf = (table: TableName, view: Readonly<Record<string, unknown>>): unknown =>
  table === "memberships" ? view.user_id : view.id;

/** As which of the readers of a definition this user reads what is about `subject`. */
export const readerOf = (user_id: string | null, subject: unknown): "user" | "admin" =>
  user_id !== null && subject === user_id ? "user" : "admin";

/** The members of a record, with those of its attributes that their definitions show this user. */
export function viewOfReader<T extends TableName>(
  user_id: string | null,
  table: T,
  row: Row<T>,
  definitions: readonly AttributeDefinition[],
): PublicView {
  const view = publicView(table, row);
  if (table === "audit_events") return eventOfReader(user_id, view, definitions);
  if (!isObject(view.attributes)) return view;
  const seen = namesOfReader(user_id, subjectOf(table, view), attributesOfRow(table, view, definitions));
  const shown = Object.entries(view.attributes).filter(([name]) => seen.has(name));
  return { ...view, attributes: shown.length === 0 ? null : Object.fromEntries(shown) };
}

function namesOfReader(
  user_id: string | null,
  subject: unknown,
  attributes: readonly Attribute[],
): ReadonlySet<string> {
  const reader = readerOf(user_id, subject);
  return new Set(attributes.filter(({ readers }) => readers.includes(reader)).map(({ name }) => name));
}

/** An audit event with the names of the attributes that the reader may see. Old rows contain values. */
function eventOfReader(
  user_id: string | null,
  view: PublicView,
  definitions: readonly AttributeDefinition[],
): PublicView {
  const { details, target_table, target_id: id, organization_id } = view;
  if (!isObject(details)) return view;
  const hasAttributes = (part: unknown): part is JsonObject =>
    isObject(part) && isAttributes(part.attributes);
  if (!hasAttributes(details.before) && !hasAttributes(details.after)) return view;
  const table = target_table as TableName;
  const attributes = attributesOfRow(table, { id, organization_id }, definitions);
  const seen = namesOfReader(user_id, table === "users" ? id : undefined, attributes);
  const shown = Object.entries(details).map(([name, part]) => {
    if (!(name === "before" || name === "after") || !hasAttributes(part)) return [name, part];
    const names = namesIn(part.attributes).filter((each) => seen.has(each));
    return [name, { ...part, attributes: names }];
  });
  return { ...view, details: Object.fromEntries(shown) };
}

const isAttributes = (value: unknown): boolean => isObject(value) || Array.isArray(value);

const namesIn = (attributes: unknown): string[] =>
  isStrings(attributes) ? [...attributes] : Object.keys(isObject(attributes) ? attributes : {});

/** The change, with the attributes that the actor does not see as they are. */
export function withUnseenAttributes<T extends TableName>(
  actorPermissions: Parameters<typeof viewFor>[0],
  table: T,
  current: Row<T>,
  changes: Partial<Row<T>>,
): Partial<Row<T>> {
  const { attributes } = changes as { readonly attributes?: unknown };
  const was = (current as { readonly attributes?: unknown }).attributes;
  if (attributes === undefined || !isObject(was)) return changes;
  const seen = viewFor(actorPermissions, table, current).attributes;
  const unseen = Object.entries(was).filter(([name]) => !isObject(seen) || !Object.hasOwn(seen, name));
  if (unseen.length === 0) return changes;
  return {
    ...changes,
    attributes: { ...(isObject(attributes) && attributes), ...Object.fromEntries(unseen) },
  };
}

/** Whether this actor sees a column in every record. */
export function isExposed(
  { platform }: Pick<EffectivePermissions, "platform">,
  table: TableName,
  column: string,
): boolean {
  return platform || fieldsOf(table)[column]?.confidential !== true;
}

/**
 * The columns of a row that the audit stores. Of attributes it stores the names, and none whose value is the
 * same in `other`: their definitions decide who reads the values, and an event outlives both.
 */
export function shownOf<T extends TableName>(
  table: T,
  row: Row<T>,
  columns: readonly string[],
  other?: Row<T>,
): JsonObject {
  const view = publicView(table, row);
  const shown = columns.filter((name) => Object.hasOwn(view, name) && name !== "updated_at");
  const members = Object.fromEntries(shown.map((name) => [name, view[name] as JsonObject[string]]));
  const { attributes } = members;
  if (recordTypeOf(table) === undefined || !isObject(attributes)) return members;
  const values = (other as { readonly attributes?: unknown } | undefined)?.attributes;
  const others = isObject(values) ? values : {};
  const names = Object.keys(attributes).filter((name) => !isDeepStrictEqual(attributes[name], others[name]));
  return { ...members, attributes: names };
}
