import type { Session } from "../../records/definition/definition.ts";
import { mostSingleNotices } from "../../records/names/deliveries.ts";
import { userLock } from "../../records/names/lock_names.ts";
import { requirePermission } from "../access/access.ts";
import type { AdminContext } from "../access/actor.ts";
import { type AdminEvent, logEvent } from "../changes/audit.ts";
import { writeChange } from "../changes/changes.ts";
import { revokeRecord } from "../manage/manage.ts";
import { sessions } from "./apps.ts";

/** Ends a user's sessions, except the one with the id `except`, and the tokens that depend on them. */
export async function endSessionsOf(context: AdminContext, user_id: string, except?: string): Promise<void> {
  const { store } = context;
  await requirePermission(context, "sessions:write", "users", user_id);
  // Tokens can outlive their session, so expired sessions are ended too.
  const open = await store.list("sessions", { user_id, ended_at: null });
  const ending = open.filter(({ id }) => id !== except);
  if (ending.length > mostSingleNotices) await endTogether(context, user_id, except);
  else for (const { id } of ending) await revokeRecord(context, sessions, id);
}

/**
 * Ends many sessions at once, with one logout notice for each app (BL-3). The notices are stored in the same
 * transaction, so that they are sent if and only if the sessions end (FO-1).
 */
async function endTogether(context: AdminContext, user_id: string, except?: string): Promise<void> {
  const { store } = context;
  const at = context.now();
  const events = await store.transaction(async (tx) => {
    await tx.lock(userLock(user_id));
    await store.notifyOfEnds(tx, user_id, at, except);
    const written: AdminEvent[] = [];
    const end = async (session: Session) => {
      const change = { ended_at: at };
      const { event } = await writeChange(tx, context, "sessions", session, change, at, { verb: "revoked" });
      await store.endTokensOfSession(tx, session, at);
      written.push(event);
    };
    for (const session of await tx.list("sessions", { user_id, ended_at: null }))
      if (session.id !== except) await end(session);
    return written;
  });
  for (const event of events) logEvent(context, event);
}
