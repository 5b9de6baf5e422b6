import type { AdminContext, EffectivePermissions } from "../../admin/access/actor.ts";
import type { Input } from "../../admin/access/errors.ts";
import { mayRemove } from "../../admin/guards/guards.ts";
import {
  actOnRecord,
  removeRecord,
  revokeRecord,
  updateRecord,
  type WritableRecord,
} from "../../admin/manage/manage.ts";
import { spelledVerb } from "../../admin/manage/resource.ts";
import type { Expected, Resource } from "../../admin/resources/resources.ts";
import type { PublicView } from "../../records/definition/view.ts";
import type { ShownImpact } from "../../web/impact_lines.ts";
import type { Done } from "../../web/words/en/records.ts";
import { confirmedFields, type FormField, removalFields } from "../forms/form_spec.http.ts";
import type { ConsolePerson } from "../frame/viewer.http.ts";
import type { DestructiveChange } from "../presentations/presentation.http.ts";
import { presentations } from "../presentations/presentations.http.ts";
import { destructivePath, endedBy, isOpenTo, isOver } from "./confirmation.http.ts";
import type { ImpactPage } from "./impact.page.ts";

export interface Ending {
  readonly path: string;
  readonly verb: ImpactPage["verb"];
  readonly done: Done;
  readonly isGone?: true;
  isTheirs(actorPermissions: EffectivePermissions, id: string): boolean;
  isOpen(view: PublicView, now: Date): boolean;
  fields(view: PublicView, person: ConsolePerson): FormField[] | Promise<FormField[]>;
  /** Whether the action sets a field to a value that the user enters on the confirmation page. */
  readonly asks?: true;
  ends(impact: ShownImpact): ShownImpact;
  carryOut(admin: AdminContext, record: WritableRecord, input: Input, expected: Expected): Promise<unknown>;
}

export function endingsOf(resource: Resource): Ending[] {
  const { resourceType, table } = resource;
  const { destructive = [], ending_verbs = [] } = presentations[resourceType];
  const endings: Ending[] = destructive.map((change) => destructiveEnding(resource, change));
  for (const { verb, ends } of ending_verbs)
    endings.push({
      path: spelledVerb(verb),
      verb,
      done: verb === "sign_out" ? "signed_out" : "access_revoked",
      isTheirs: ({ platform }) => platform,
      isOpen: () => true,
      fields: () => [],
      ends: (impact) => endedBy(impact, { ends }),
      carryOut: (admin, record, values, expected) =>
        actOnRecord(admin, resource, verb, record, values, expected),
    });
  if (resource.remove !== undefined) {
    endings.push({
      path: "delete",
      verb: "delete",
      done: "deleted",
      isGone: true,
      isTheirs: (actorPermissions, id) => mayRemove(actorPermissions, table, id),
      isOpen: () => true,
      fields: ({ id }, { admin }) => removalFieldsOf(resource, admin, String(id)),
      ends: (impact) => impact,
      carryOut: (admin, record, values, expected) => removeRecord(admin, resource, record, expected, values),
    });
  }
  if (resource.revoke !== undefined) {
    endings.push({
      path: "revoke",
      verb: "revoke",
      done: "revoked",
      isTheirs: () => true,
      isOpen: (view, now) => !isOver(resource, view, now),
      fields: () => [],
      ends: (impact) => impact,
      carryOut: (admin, record, _, expected) => revokeRecord(admin, resource, record, expected),
    });
  }
  return endings;
}

async function removalFieldsOf(resource: Resource, admin: AdminContext, id: string): Promise<FormField[]> {
  const { removal_asks = {} } = presentations[resource.resourceType];
  const requested = await Promise.all(
    removalFields(resource).map(async (field) =>
      (await removal_asks[field.name]?.(admin, id)) === false ? [] : [field],
    ),
  );
  return requested.flat();
}

function destructiveEnding(resource: Resource, change: DestructiveChange): Ending {
  const { field, verb, with: beside = [] } = change;
  const isSwitch = change.while !== undefined;
  return {
    path: destructivePath(change),
    verb,
    done: verb === "switch_off" ? "switched_off" : "changed",
    isTheirs: ({ platform }) => isOpenTo(resource, change, platform),
    isOpen: (view, now) => !isOver(resource, view, now) && (!isSwitch || view[field] === change.while),
    ...(!isSwitch && { asks: true }),
    fields: (view, { signedIn }) =>
      isSwitch ? [] : confirmedFields(resource, [field, ...(view.id === signedIn.user.id ? beside : [])]),
    ends: (impact) => endedBy(impact, change),
    carryOut: (admin, record, input, expected) =>
      updateRecord(admin, resource, record, isSwitch ? { [field]: !change.while } : input, expected),
  };
}
