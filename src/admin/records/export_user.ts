import { detail } from "../../errors/details.ts";
import { Problem } from "../../errors.ts";
import { permissions, readScope } from "../../records/definition/permissions.ts";
import { requirePermission, requirePlatform } from "../access/access.ts";
import { type AdminContext, permissionsOfActor } from "../access/actor.ts";
import { logEvent, recordEvent } from "../changes/audit.ts";

/**
 * Records in the audit trail that an administrator exports a user's data, and returns the user's id. Throws
 * 403 `forbidden`, 404 `not_found`.
 */
export async function noteUserExport(context: AdminContext, named: string): Promise<{ readonly id: string }> {
  await requirePlatform(context);
  const id = named.toLowerCase();
  await requirePermission(context, "users:write", "users", id);
  const { allowed } = await permissionsOfActor(context);
  const reads = permissions.filter((permission) => permission.endsWith(":read"));
  if (!reads.every((permission) => allowed.has(permission)))
    throw new Problem("forbidden", detail("scope_needed", { scope: readScope }));
  const of_user = { target_table: "users", target_id: id, details: {} } as const;
  const event = { type: "user.data_exported", ...of_user } as const;
  await recordEvent(context, event);
  logEvent(context, event);
  return { id };
}
