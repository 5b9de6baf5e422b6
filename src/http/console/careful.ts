/** Changes that end what stands on a record: each has a page of its own that says how much that is. */
import type { Resource } from "../../admin/resources.ts";
import type { PublicView } from "../../records/view.ts";
import type { Touched } from "../../web/console/consequence_page.ts";
import { type CarefulChange, isVouchedFor } from "./presentation.ts";
import { presentations } from "./presentations.ts";

/** The last step of its address. */
export function carefulPath({ verb, field }: CarefulChange): string {
  return verb === "switch_off" ? "switch-off" : `change-${field.replaceAll("_", "-")}`;
}

/** Whether the change is not one that only platform administrators are let make. */
export function isOpenTo(
  { family }: Resource,
  { field }: CarefulChange,
  is_platform_admin: boolean,
): boolean {
  return is_platform_admin || presentations[family].administrators?.fields?.includes(field) !== true;
}

/** Those that there are for the record as it stands, and that whoever asks may make. */
export function carefulNow(
  resource: Resource,
  view: PublicView,
  is_platform_admin: boolean,
): readonly CarefulChange[] {
  const { careful = [] } = presentations[resource.family];
  return careful
    .filter((change) => isOpenTo(resource, change, is_platform_admin))
    .filter((change) => !isVouchedFor(change, view, is_platform_admin))
    .filter((change) => change.while === undefined || view[change.field] === change.while);
}

/** Whether the record has ended for good or by itself, so that there is nothing left to revoke. */
export function isOver(resource: Resource, view: PublicView, now: Date): boolean {
  const state = presentations[resource.family].state?.(view, now);
  return state !== undefined && state !== "active" && state !== "inactive";
}

/** Of all that hangs on the record, what a change ends. */
export function endedBy(touched: Touched, { ends }: CarefulChange): Touched {
  return Object.fromEntries(
    ends.flatMap((name) => (touched[name] === undefined ? [] : [[name, touched[name]]])),
  );
}
