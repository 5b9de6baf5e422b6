import { detail } from "../../errors/details.ts";
import { Problem } from "../../errors.ts";
import { importScope } from "../../records/definition/permissions.ts";
import { type AdminContext, isUnlimited, permissionsOfActor } from "../access/actor.ts";

export const sourceShape = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/**
 * Throws 403 `forbidden` unless the actor administers the platform and the credential allows every permission
 * or has the scope for imports (MG-6).
 */
export async function requireImport(context: AdminContext): Promise<void> {
  const held = await permissionsOfActor(context);
  if (!held.platform) throw new Problem("forbidden", detail("platform_only"));
  const { actor } = context;
  const scopes = "scopes" in actor ? (actor.scopes ?? []) : [];
  if (!isUnlimited(held) && !scopes.includes(importScope))
    throw new Problem("forbidden", detail("scope_needed", { scope: importScope }));
}
