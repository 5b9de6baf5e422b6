import type { Reference } from "../../admin/reports/labels.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { isUuid } from "../../records/formats/check.ts";
import { type RecordState, stateOfCredential, stateOfSwitch } from "../../records/names/liveness.ts";
import type { ShownImpact } from "../../web/impact_lines.ts";
import type { DestructiveChange } from "./presentation.http.ts";

/** Adapts a function that returns the state of a record, so that it accepts a view of the record. */
export function by<R>(
  stateOf: (record: R, now: Date) => RecordState,
): (view: PublicView, now: Date) => RecordState {
  return (view, now) => stateOf(view as R, now);
}

export const onOff = by(stateOfSwitch);
export const revocable = by(stateOfCredential);

/** Returns the change that deactivates a record. */
export const switchOff = (...ends: readonly (keyof ShownImpact)[]): DestructiveChange => ({
  field: "active",
  while: true,
  verb: "switch_off",
  ends,
});

export const apiHelp = {
  active: "api_active",
  scopes: "api_scopes",
  default_scopes: "api_default_scopes",
  claims: "api_claims",
} as const;

/** Returns a reference to a record. */
export function referenceTo(table: unknown, id: unknown): Reference | undefined {
  return typeof table === "string" && isUuid(id) ? { table, id } : undefined;
}
