/** The organization of a record that a form is about to create. */
import { type AdminContext, permissionsOfActor } from "../../admin/access/actor.ts";
import type { Resource } from "../../admin/resources/resources.ts";
import type { Params } from "../../oauth/core/params.ts";
import { isUuid } from "../../records/formats/check.ts";
import { idMeant } from "../forms/natural_names.http.ts";
import { presentations } from "../presentations/presentations.http.ts";

/**
 * Returns the organization in which the user works, or the only one in which the user may create the record.
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

/** Returns the organization of a new record. The form shows the attributes that this organization defines. */
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

/**
 * Returns whether the viewer must choose the organization of a new record. Platform administrators never have
 * to. For other viewers, this is the case if their permissions or the organization they work in do not
 * determine it.
 */
export async function mustChooseOrganization(
  admin: AdminContext,
  resource: Resource,
  within: string | undefined,
): Promise<boolean> {
  const { platform } = await permissionsOfActor(admin);
  return !platform && (await organizationOfNew(admin, resource, within)) === undefined;
}
