import { isDeepStrictEqual } from "node:util";
import { fieldError, pointerStep } from "../../errors/field_errors.ts";
import { fieldsOf, type Row, type TableName } from "../../records/definition/definition.ts";
import type { JsonObject } from "../../records/definition/field.ts";
import { type PublicView, publicView } from "../../records/definition/view.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import { attributesOfRow, recordTypeOf } from "../../records/rules/attributes.ts";
import { isKnownTo, subjectOf, viewOfReader } from "../../records/rules/readers.ts";
import type { EffectivePermissions } from "../access/actor.ts";
import { invalidRecord } from "../access/errors.ts";

/**
 * Returns the fields of a record that this actor may see. Confidential fields are shown only to platform
 * administrators and, in a user's own account, to that user.
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

/**
 * Prepares a write that replaces `attributes`: adds the current values that the actor cannot see, so that the
 * write keeps them. Throws 422 `invalid_record` if the write sets such an attribute, as for one that does not
 * exist.
 */
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
  const { user_id, definitions = [] } = actorPermissions;
  const known = attributesOfRow(table, current, definitions)
    .filter((each) => isKnownTo(user_id, subjectOf(table, current), each))
    .map(({ name }) => name);
  const errors = unseen
    .filter(([name]) => isObject(attributes) && Object.hasOwn(attributes, name))
    .map(([name]) => fieldError(`/attributes/${pointerStep(name)}`, "no_attribute", { names: known }));
  if (errors.length > 0) throw invalidRecord(table, errors);
  return {
    ...changes,
    attributes: { ...Object.fromEntries(unseen), ...(isObject(attributes) && attributes) },
  };
}

/** Returns whether the actor sees this column in every record that the actor may read. */
export function isExposed(
  { platform }: Pick<EffectivePermissions, "platform">,
  table: TableName,
  column: string,
): boolean {
  return platform || fieldsOf(table)[column]?.confidential !== true;
}

/**
 * Returns the columns of a row for an audit event. Of attributes, it includes only names, because the event
 * outlives the rules on who may read the values.
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
