import { stateOfIdleSession } from "../../records/names/liveness.ts";
import type { AdminContext } from "../access/actor.ts";
import { revokeRecord } from "../manage/manage.ts";
import { sessions } from "./apps.ts";

/** Ends every session of a user but `except`, each with what hangs on it. Throws 403 `forbidden`. */
export async function endSessionsOf(context: AdminContext, user_id: string, except?: string): Promise<void> {
  const at = context.now();
  const open = await context.store.list("sessions", { user_id, ended_at: null });
  for (const session of open) {
    const { id } = session;
    if (id !== except && stateOfIdleSession(session, at) === "active")
      await revokeRecord(context, sessions, id);
  }
}
