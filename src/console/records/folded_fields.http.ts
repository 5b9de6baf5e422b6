/** Fields that the page of a record folds away, so that what somebody decided stands out. */
import type { Resource } from "../../admin/manage/resource.ts";
import { fieldsOf } from "../../records/definition/definition.ts";
import type { PublicView } from "../../records/definition/view.ts";
import type { FieldGroup } from "../fields/field_groups.view.ts";

/** Fields that are shown without folding any. */
const longestWhole = 8;

/** That a key never expires, or that nobody has used it, is worth a line. */
const saysMoreEmpty = ["expires_at", "last_used_at"];

/**
 * The names of those that nobody set, and of those whose group forms fold away as well; none on the page of a
 * record of few fields.
 */
export function foldedFields(
  resource: Resource,
  view: PublicView,
  names: readonly string[],
  groups: readonly FieldGroup[],
): string[] {
  if (names.length <= longestWhole) return [];
  const seldom = groups.filter(({ folded }) => folded).flatMap((group) => group.names);
  return names.filter((name) => seldom.includes(name) || !isSet(resource, name, view[name]));
}

/** Whether the value tells a reader anything: it is neither empty nor a switch or figure as it came. */
function isSet({ table }: Resource, name: string, value: unknown): boolean {
  if (saysMoreEmpty.includes(name)) return true;
  if (value === null || value === undefined || value === "") return false;
  if (typeof value === "boolean" || typeof value === "number") {
    const fields = fieldsOf(table);
    return !Object.hasOwn(fields, name) || fields[name]?.default !== value;
  }
  return typeof value !== "object" || value instanceof Date || Object.keys(value).length > 0;
}
