/** The members of a record that an actor may see, and those that the audit stores. */
import {
  type AttributeDefinition,
  fieldsOf,
  type Row,
  type TableName,
} from "../../records/definition/definition.ts";
import type { JsonObject } from "../../records/definition/field.ts";
import { type PublicView, publicView } from "../../records/definition/view.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import { attributesOfRow } from "../../records/rules/attributes.ts";
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

/** The members of a record, with those of its attributes that their definitions show this user. */
export function viewOfReader<T extends TableName>(
  user_id: string | null,
  table: T,
  row: Row<T>,
  definitions: readonly AttributeDefinition[],
): PublicView {
  const view = publicView(table, row);
  if (!isObject(view.attributes)) return view;
  const subject = table === "memberships" ? view.user_id : view.id;
  const reader = user_id !== null && subject === user_id ? "user" : "admin";
  const seen = new Set(
    attributesOfRow(table, view, definitions)
      .filter(({ readers }) => readers.includes(reader))
      .map(({ name }) => name),
  );
  const shown = Object.entries(view.attributes).filter(([name]) => seen.has(name));
  return { ...view, attributes: shown.length === 0 ? null : Object.fromEntries(shown) };
}

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

/** The columns that may be shown, as the row has them. */
export function shownOf<T extends TableName>(table: T, row: Row<T>, columns: readonly string[]): JsonObject {
  const view = publicView(table, row);
  const shown = columns.filter((name) => Object.hasOwn(view, name) && name !== "updated_at");
  return Object.fromEntries(shown.map((name) => [name, view[name] as JsonObject[string]]));
}
