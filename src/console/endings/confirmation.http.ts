import { platformFields } from "../../admin/guards/guards.ts";
import type { Resource } from "../../admin/resources/resources.ts";
import type { PublicView } from "../../records/definition/view.ts";
import type { ShownImpact } from "../../web/impact_lines.ts";
import { type DestructiveChange, isVouchedFor } from "../presentations/presentation.http.ts";
import { presentations } from "../presentations/presentations.http.ts";

/** Returns the last segment of the URL path of the confirmation page. */
export function destructivePath({ verb, field }: DestructiveChange): string {
  return verb === "switch_off" ? "switch-off" : `change-${field.replaceAll("_", "-")}`;
}

/**
 * Returns false if only platform administrators may change this field and the viewer is none. Checks no other
 * permission.
 */
export function isOpenTo(
  { table }: Resource,
  { field }: DestructiveChange,
  is_platform_admin: boolean,
): boolean {
  return is_platform_admin || !platformFields(table, "update").includes(field);
}

/**
 * Returns the changes that end other records and that a viewer who may write the record may make in its
 * current state.
 */
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

/**
 * Returns whether the record was revoked or used, or has expired or ended, so that it can no longer be
 * revoked.
 */
export function isOver(resource: Resource, view: PublicView, now: Date): boolean {
  const state = presentations[resource.resourceType].state?.(view, now);
  return state !== undefined && state !== "active" && state !== "inactive";
}

/** Returns the part of `impact` that this change causes. */
export function endedBy(impact: ShownImpact, { ends }: Pick<DestructiveChange, "ends">): ShownImpact {
  return Object.fromEntries(
    ends.flatMap((name) => (impact[name] === undefined ? [] : [[name, impact[name]]])),
  );
}
