/**
 * The organization to which the viewer limited the console, stored in a cookie. The choice filters lists and
 * grants no permission (H-51).
 */
import { type AdminContext, permissionsOfActor } from "../../admin/access/actor.ts";
import { managedOrganizations } from "../../admin/access/administers.ts";
import { listRecords } from "../../admin/manage/list_records.ts";
import { resourceOf } from "../../admin/resources/resources.ts";
import { isUuid } from "../../records/formats/check.ts";
import type { OrganizationName, OrganizationSwitch } from "./organization_switch.view.ts";

const mostInMenu = 8;

/** Stored in the cookie if the viewer chose all organizations. */
export const allOrganizations = "all";

interface ChosenOrganization extends Omit<OrganizationSwitch, "csrf_token"> {
  readonly within: string | undefined;
}

interface Found {
  readonly choices: readonly OrganizationName[];
  readonly has_more: boolean;
}

/** Returns at most `limit` organizations that the actor manages, sorted by name. */
export async function organizationsOf(admin: AdminContext, limit: number, query = ""): Promise<Found> {
  const permissions = await permissionsOfActor(admin);
  if (permissions.platform) {
    const requested = { limit: String(limit), sort: "name", ...(query !== "" && { q: query }) };
    const { data, next_cursor } = await listRecords(admin, resourceOf("organizations"), requested);
    const choices = data.map(({ id, name }) => ({ id: String(id), name: String(name) }));
    return { choices, has_more: next_cursor !== null };
  }
  const wanted = query.toLowerCase();
  const all = managedOrganizations(permissions)
    .map((id) => ({ id, name: permissions.organizations.get(id)?.name ?? id }))
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .sort((one, other) => one.name.localeCompare(other.name));
  return { choices: all.slice(0, limit), has_more: all.length > limit };
}

/** Returns the organization with this ID; undefined if the actor does not manage it. */
export async function organizationToWorkIn(
  admin: AdminContext,
  id: string | undefined,
): Promise<OrganizationName | undefined> {
  if (!isUuid(id)) return undefined;
  const permissions = await permissionsOfActor(admin);
  if (permissions.platform) return admin.store.find("organizations", { id });
  const name = permissions.organizations.get(id)?.name;
  return name !== undefined && managedOrganizations(permissions).includes(id) ? { id, name } : undefined;
}

/**
 * Returns the data of the organization menu in the header; undefined if the actor manages no organization.
 */
export async function chosenOrganization(
  admin: AdminContext,
  kept: string | undefined,
): Promise<ChosenOrganization | undefined> {
  const { choices, has_more } = await organizationsOf(admin, mostInMenu);
  const [only] = choices;
  if (only === undefined) return undefined;
  const { platform } = await permissionsOfActor(admin);
  if (!platform && choices.length === 1) {
    return { chosen: only, within: undefined, choices: [], has_more: false };
  }
  const chosen = await organizationToWorkIn(admin, kept);
  return { chosen, within: chosen?.id, choices, has_more };
}
