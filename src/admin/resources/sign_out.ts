import { mostSingleNotices } from "../../records/names/deliveries.ts";
import { userLock } from "../../records/names/lock_names.ts";
import { requirePermission } from "../access/access.ts";
import type { AdminContext } from "../access/actor.ts";
import { revokeRecord } from "../manage/manage.ts";
import { sessions } from "./apps.ts";

/**
 * Ends every session of a user but `except`, each with everything that depends on it. Throws 403 `forbidden`.
 */
export async function endSessionsOf(context: AdminContext, user_id: string, except?: string): Promise<void> {
  const { store } = context;
  await requirePermission(context, "sessions:write", "users", user_id);
  const at = context.now();
  // Expired ones too: their tokens may still be active.
  const open = await store.list("sessions", { user_id, ended_at: null });
  const ending = open.filter(({ id }) => id !== except);
  // Each has a commit of its own, and an app that hears of many hears of them at once (BL-3).
  if (ending.length > mostSingleNotices)
    await store.transaction(async (tx) => {
      await tx.lock(userLock(user_id));
      await store.notifyOfEnds(tx, user_id, at, except);
    });
  for (const { id } of ending) await revokeRecord(context, sessions, id);
}
