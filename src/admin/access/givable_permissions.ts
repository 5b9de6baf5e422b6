import type { APIKey } from "../../records/definition/definition.ts";
import {
  isUseful,
  type Permission,
  permissions,
  rolePermissions,
} from "../../records/definition/permissions.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { permissionsAnywhere } from "./access.ts";
import { type AdminContext, permissionsOfActor } from "./actor.ts";
import { both, mayGive, type Owner, powersOf } from "./giving.ts";

export type Carrier = "memberships" | "api_keys" | "service_accounts";

/**
 * Returns the permissions that a form offers for a membership, API key or service account. Without `view`,
 * the record is new and its owner is not known yet.
 */
export async function givablePermissions(
  context: AdminContext,
  carrier: Carrier,
  view?: PublicView,
): Promise<ReadonlySet<Permission>> {
  const held = await (view === undefined
    ? givableSomewhere(context, carrier)
    : givableTo(context, carrier, view));
  return new Set([...held].filter(isUseful));
}

async function givableSomewhere(context: AdminContext, carrier: Carrier): Promise<ReadonlySet<Permission>> {
  const actorPermissions = await permissionsOfActor(context);
  if (carrier === "api_keys") return permissionsAnywhere(actorPermissions);
  const { platform, organizations, allowed } = actorPermissions;
  const ofOrganizations = [...organizations.values()];
  const inSome = [...allowed].filter(
    (permission) => platform || ofOrganizations.some((each) => each.permissions.has(permission)),
  );
  const most: readonly Permission[] = carrier === "memberships" ? permissions : rolePermissions.admin;
  return both(new Set(inSome), new Set(most));
}

async function givableTo(
  context: AdminContext,
  carrier: Carrier,
  view: PublicView,
): Promise<ReadonlySet<Permission>> {
  const actorPermissions = await permissionsOfActor(context);
  const { user_id = null, organization_id = null } = view as Partial<Pick<APIKey, keyof Owner>>;
  if (carrier === "memberships") return mayGive(actorPermissions, { organization_id: organization_id ?? "" });
  const owner = { user_id: carrier === "api_keys" ? user_id : null, organization_id };
  const powers = await powersOf(context.store, actorPermissions, owner);
  const [first = new Set<Permission>(), ...others] = powers.map(({ mine }) => mine);
  return others.reduce(both, first);
}
