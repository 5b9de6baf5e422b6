import { OAuthError } from "../../../errors.ts";
import type { User } from "../../../records/definition.ts";
import { endedSince } from "../../../records/liveness.ts";
import { fact } from "../../evidence.ts";
import type { AuthorizationServer } from "../../server.ts";

/**
 * The user of a grant, who must be active and not have been ended since it was made. Throws `invalid_grant`.
 */
export async function requireActiveUser(
  user_id: string,
  made_at: Date,
  { store }: AuthorizationServer,
): Promise<User> {
  const user = await store.findUser(user_id);
  if (user === undefined || !user.active || endedSince(user, made_at)) {
    const why = user === undefined ? "unknown" : user.active ? "ended" : "inactive";
    throw new OAuthError("invalid_grant", "the user is not active", {
      evidence: fact("user_inactive", "user", why),
    });
  }
  return user;
}
