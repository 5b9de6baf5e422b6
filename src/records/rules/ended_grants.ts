/**
 * A user's ended grants to an app, in a family or in a session, while many token rows still have to be
 * marked. The user's record lists them immediately (design 6.18), until all rows are marked.
 */
import type { OAuthToken, User } from "../definition/definition.ts";
import { isOffline } from "../names/request_data.ts";

type Given = Pick<OAuthToken, "app_id" | "created_at"> &
  Partial<Pick<OAuthToken, "family_id" | "session_id" | "request_data">>;

/** Returns the key of an app, a family or a session among the ended grants; their ids never collide. */
export const endedGrantName = (id: string): string => id.replaceAll("-", "");

/** Returns the time up to which grants to this app, or in this family or session, have ended. */
export function endOfGrant({ ended_grants }: Pick<User, "ended_grants">, id: string): Date | undefined {
  const up_to = ended_grants?.[endedGrantName(id)];
  return typeof up_to === "number" ? new Date(up_to) : undefined;
}

/** Returns whether the user ended the grant that a code or token comes from. */
export function isEndedGrant(user: Pick<User, "ended_grants">, row: Given): boolean {
  if (user.ended_grants === null) return false;
  const { app_id, family_id, session_id, request_data = null, created_at } = row;
  const of = [app_id, family_id, isOffline(request_data) ? undefined : session_id];
  return of.some((id) => {
    const up_to = id && endOfGrant(user, id);
    return up_to && created_at <= up_to;
  });
}
