/**
 * Limits a record to the fields and attributes that its reader may see, according to the definitions of its
 * attributes (OC-7).
 */
import type { AttributeDefinition, Row, TableName } from "../definition/definition.ts";
import type { JsonObject } from "../definition/field.ts";
import { type PublicView, publicView } from "../definition/view.ts";
import { isObject, isStrings } from "../names/json_shapes.ts";
import { type Attribute, attributesOfRow } from "./attributes.ts";

/** Returns the id of a membership's user or, for any other table, the record's own id. */
export const subjectOf = (table: TableName, view: Readonly<Record<string, unknown>>): unknown =>
  view[subjectColumn(table)];

export const subjectColumn = (table: TableName): "user_id" | "id" =>
  table === "memberships" ? "user_id" : "id";

/**
 * Returns which entry in `readers` of an attribute's definition applies when this user reads data about
 * `subject`.
 */
export const readerOf = (user_id: string | null, subject: unknown): "user" | "admin" =>
  user_id !== null && subject === user_id ? "user" : "admin";

/** Returns whether this user may read an attribute of `subject`. */
export function isKnownTo(
  user_id: string | null,
  subject: unknown,
  { readers }: Pick<Attribute, "readers">,
): boolean {
  return readers.includes(readerOf(user_id, subject));
}

/**
 * Returns whether the tokens of an organization's app may contain an attribute. The organization's
 * administrators choose the app's `claims` and could read its tokens.
 */
export const isToldToOrganizations = ({ record_type, readers }: Attribute): boolean =>
  readers.includes("admin") ||
  (readers.includes("user") && (record_type === "users" || record_type === "memberships"));

/**
 * Returns the record's fields, with only those attributes that their definitions show to this user. In an
 * audit event, their names replace the values.
 */
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
  return new Set(attributes.filter((each) => isKnownTo(user_id, subject, each)).map(({ name }) => name));
}

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
