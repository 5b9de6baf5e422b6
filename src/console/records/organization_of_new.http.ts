import { type AdminContext, permissionsOfActor } from "../../admin/access/actor.ts";
import type { Resource } from "../../admin/resources/resources.ts";
import type { Params } from "../../oauth/core/params.ts";
import { isUuid } from "../../records/formats/check.ts";
import { idMeant } from "../forms/natural_names.http.ts";
import { presentations } from "../presentations/presentations.http.ts";

/**
 * Returns the organization for a new record; undefined if the viewer has to choose, or may leave the field
 * empty.
 */
export async function organizationOfNew(
  admin: AdminContext,
  { resourceType }: Resource,
  within: string | undefined,
): Promise<string | undefined> {
  const { platform, organizations } = await permissionsOfActor(admin);
  const mayWithin = (id: string) =>
    platform || organizations.get(id)?.permissions.has(`${resourceType}:write`);
  if (within !== undefined && mayWithin(within)) return within;
  if (platform || presentations[resourceType].left_open?.includes("organization_id")) return undefined;
  const [only, ...others] = [...organizations].filter(([, { permissions }]) =>
    permissions.has(`${resourceType}:write`),
  );
  return others.length === 0 ? only?.[0] : undefined;
}

/** Returns the organization of a new record, which determines the attributes in the form. */
export async function ownerOfNew(
  admin: AdminContext,
  resource: Resource,
  params: Params,
  within: string | undefined,
): Promise<{ readonly organization_id?: string | undefined }> {
  const typed = params.get("organization_id");
  if (typed === undefined) return { organization_id: await organizationOfNew(admin, resource, within) };
  const meant = await idMeant(admin, "organizations", typed);
  return "id" in meant && isUuid(meant.id) ? { organization_id: meant.id } : {};
}

/** Returns whether the viewer must choose the organization of a new record. */
export async function mustChooseOrganization(
  admin: AdminContext,
  resource: Resource,
  within: string | undefined,
): Promise<boolean> {
  const { platform } = await permissionsOfActor(admin);
  return !platform && (await organizationOfNew(admin, resource, within)) === undefined;
}
