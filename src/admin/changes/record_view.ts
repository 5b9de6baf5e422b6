/** The members of a record that an actor may see, and those that the audit stores. */
import { fieldsOf, type Row, type TableName } from "../../records/definition/definition.ts";
import type { JsonObject } from "../../records/definition/field.ts";
import { type PublicView, publicView } from "../../records/definition/view.ts";
import type { EffectivePermissions } from "../access/actor.ts";

/**
 * The members of a record that this actor may see. Only platform administrators see confidential members of
 * another person's.
 */
export function viewFor<T extends TableName>(
  { platform, user_id }: Pick<EffectivePermissions, "platform" | "user_id">,
  table: T,
  row: Row<T>,
): PublicView {
  const view = publicView(table, row);
  if (platform || (user_id !== null && view.id === user_id)) return view;
  for (const [name, { confidential }] of Object.entries(fieldsOf(table))) {
    if (confidential) delete view[name];
  }
  return view;
}

/** Whether this actor sees a column in every record. */
export function isExposed(
  { platform }: Pick<EffectivePermissions, "platform">,
  table: TableName,
  column: string,
): boolean {
  return platform || fieldsOf(table)[column]?.confidential !== true;
}

/** Of these columns, those that may be shown, as the row has them. */
export function shownOf<T extends TableName>(table: T, row: Row<T>, columns: readonly string[]): JsonObject {
  const view = publicView(table, row);
  const shown = columns.filter((name) => Object.hasOwn(view, name) && name !== "updated_at");
  return Object.fromEntries(shown.map((name) => [name, view[name] as JsonObject[string]]));
}
