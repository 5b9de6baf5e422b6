import { OAuthError } from "../../errors.ts";
import type { User } from "../../records/definition.ts";
import type { AuthorizationServer } from "../server.ts";

/** The user of a grant, who must be active and not have been ended since it was made. Throws `invalid_grant`. */
export async function standingUser(
  user_id: string,
  made_at: Date,
  { store }: AuthorizationServer,
): Promise<User> {
  const user = await store.findUser(user_id);
  const ended = user?.tokens_not_before ?? null;
  if (user === undefined || !user.active || (ended !== null && made_at <= ended)) {
    throw new OAuthError("invalid_grant", "the user is not active");
  }
  return user;
}
