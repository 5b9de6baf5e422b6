import { isUuid } from "../../records/check.ts";
import type { Session } from "../../records/definition.ts";
import { userLock } from "../../records/lock_names.ts";
import type { RevokedReason } from "../../records/names.ts";
import { isOffline } from "../../records/request_data.ts";
import type { AdminContext } from "../access/actor.ts";
import { changeRecord, type Expected } from "../changes.ts";
import { notFound } from "../faults.ts";

const reason: RevokedReason = "logout";

/**
 * Ends a session, and in the same commit its tokens but those that were granted with `offline_access` (design
 * 6.8). Throws 404 `not_found`.
 */
export async function endSession(
  context: AdminContext,
  id: string,
  expected?: Expected<"sessions">,
): Promise<Session> {
  const seen = isUuid(id) ? await context.store.find("sessions", { id: id.toLowerCase() }) : undefined;
  if (seen === undefined) throw notFound("sessions", id);
  return changeRecord(
    context,
    "sessions",
    seen.id,
    ({ ended_at }) => (ended_at === null ? { ended_at: context.now() } : {}),
    {
      expected,
      verb: "revoked",
      locks: [userLock(seen.user_id)],
      async also(tx, { id: session_id }, _, at) {
        for (const token of await tx.list("oauth_tokens", { session_id, revoked: false })) {
          if (isOffline(token.request_data)) continue;
          const ended = { revoked: true, revoked_at: at, revoked_reason: reason };
          await tx.update("oauth_tokens", { id: token.id }, ended);
        }
      },
    },
  );
}
