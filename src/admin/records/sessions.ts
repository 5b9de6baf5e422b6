import type { Session } from "../../records/definition/definition.ts";
import { isUuid } from "../../records/formats/check.ts";
import { userLock } from "../../records/names/lock_names.ts";
import type { AdminContext } from "../access/actor.ts";
import { notFound } from "../access/errors.ts";
import { changeRecord, type Expected } from "../changes/changes.ts";

/**
 * Ends a session and, in the same transaction, revokes its tokens, except those with the scope
 * `offline_access` (design 6.8). Throws 404 `not_found`.
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
      also: (tx, current, _, at) => context.store.endTokensOfSession(tx, current, at),
    },
  );
}
