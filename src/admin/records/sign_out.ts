import type { AdminContext } from "../access/actor.ts";
import { revokeRecord } from "../manage.ts";
import { sessions } from "../resources/apps.ts";

/** Ends every session of a user but `except`, each with what hangs on it. Throws 403 `forbidden`. */
export async function endSessionsOf(context: AdminContext, user_id: string, except?: string): Promise<void> {
  const at = context.now();
  const open = await context.store.list("sessions", { user_id, ended_at: null });
  for (const { id, expires_at } of open) {
    if (id !== except && expires_at > at) await revokeRecord(context, sessions, id);
  }
}
