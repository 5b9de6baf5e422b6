import type { Impact } from "../../storage/listing/impact.ts";
import { requirePermission } from "../access/access.ts";
import type { AdminContext } from "../access/actor.ts";
import type { Resource } from "../manage/resource.ts";

export const impactLimit = 10_000;

/**
 * Returns how many dependents end when the actor deletes, revokes or deactivates this record; each figure
 * is at most `impactLimit`. Throws 403 `forbidden`, 404 `not_found`, as the action itself would.
 */
export async function impactOf(context: AdminContext, resource: Resource, id: string): Promise<Impact> {
  await requirePermission(context, `${resource.resourceType}:write`, resource.table, id);
  return context.store.impactOf(resource.table, id.toLowerCase(), context.now(), impactLimit);
}
