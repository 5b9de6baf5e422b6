/** Changes that end what depends on a record: each has a page of its own that says how much that is. */
import { platformFields } from "../../admin/guards/guards.ts";
import type { Resource } from "../../admin/resources/resources.ts";
import type { PublicView } from "../../records/definition/view.ts";
import type { ShownImpact } from "../../web/impact_lines.ts";
import { type DestructiveChange, isVouchedFor } from "../presentations/presentation.http.ts";
import { presentations } from "../presentations/presentations.http.ts";

/** The last step of its address. */
export function destructivePath({ verb, field }: DestructiveChange): string {
  return verb === "switch_off" ? "switch-off" : `change-${field.replaceAll("_", "-")}`;
}

/** Whether the change is not one that only platform administrators are let make. */
export function isOpenTo(
  { table }: Resource,
  { field }: DestructiveChange,
  is_platform_admin: boolean,
): boolean {
  return is_platform_admin || !platformFields(table, "update").includes(field);
}

/** The changes that the record's present state allows, and that the actor may make. */
export function destructiveNow(
  resource: Resource,
  view: PublicView,
  is_platform_admin: boolean,
): readonly DestructiveChange[] {
  const { destructive = [] } = presentations[resource.resourceType];
  return destructive
    .filter((change) => isOpenTo(resource, change, is_platform_admin))
    .filter((change) => !isVouchedFor(change, view, is_platform_admin))
    .filter((change) => change.while === undefined || view[change.field] === change.while);
}

/** Whether the record was ended or has expired, so there is nothing left to revoke. */
export function isOver(resource: Resource, view: PublicView, now: Date): boolean {
  const state = presentations[resource.resourceType].state?.(view, now);
  return state !== undefined && state !== "active" && state !== "inactive";
}

/** The dependent records that a change ends. */
export function endedBy(impact: ShownImpact, { ends }: Pick<DestructiveChange, "ends">): ShownImpact {
  return Object.fromEntries(
    ends.flatMap((name) => (impact[name] === undefined ? [] : [[name, impact[name]]])),
  );
}
