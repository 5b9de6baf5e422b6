import type { Impact } from "../../storage/listing/impact.ts";
import { requirePermission } from "../access/access.ts";
import type { AdminContext } from "../access/actor.ts";
import type { Resource } from "../manage/resource.ts";

export const impactLimit = 10_000;

/**
 * Returns how many dependent records of each kind end if this record is deleted, revoked or deactivated,
 * counted up to `impactLimit`. Throws the same 403 `forbidden` or 404 `not_found` as the action.
 */
export async function impactOf(context: AdminContext, resource: Resource, id: string): Promise<Impact> {
  await requirePermission(context, `${resource.resourceType}:write`, resource.table, id);
  return context.store.impactOf(resource.table, id.toLowerCase(), context.now(), impactLimit);
}
