import { isUuid } from "../../records/formats/check.ts";
import { requirePermission, requirePermissionForNew } from "../access/access.ts";
import { type AdminContext, permissionsOfActor } from "../access/actor.ts";
import type { Input } from "../access/errors.ts";
import { guardNew } from "../guards/guards.ts";
import type { Resource } from "./resource.ts";

/**
 * Throws unless the actor may still create the record, because the stored response of a repeated request can
 * contain a secret. `made_id` is the id of the record that the first request created.
 */
export async function requirePermissionToRepeat(
  context: AdminContext,
  resource: Resource,
  input: Input,
  made_id: unknown,
): Promise<void> {
  const { resourceType, table } = resource;
  const whole = resource.complete?.(context, input) ?? input;
  await requirePermissionForNew(context, `${resourceType}:write`, table, whole);
  const row = isUuid(made_id) ? await context.store.find(table, { id: made_id }) : undefined;
  if (row === undefined) return;
  await requirePermission(context, `${resourceType}:write`, table, row.id);
  const actorPermissions = await permissionsOfActor(context);
  await context.store.transaction((tx) => guardNew(tx, actorPermissions, table, row));
}
