import type { User } from "../../../records/definition/definition.ts";
import { stateSince } from "../../../records/names/liveness.ts";
import type { AuthorizationServer } from "../../core/server.ts";
import { refuse } from "../../refusals/refuse.ts";

/**
 * Returns the user of a grant. Throws `invalid_grant` if the user is not active, or the user's tokens were
 * revoked after the grant was made.
 */
export async function requireActiveUser(
  user_id: string,
  made_at: Date,
  server: AuthorizationServer,
): Promise<User> {
  const user = await server.store.findUser(user_id);
  if (user === undefined) throw refuse("user_inactive", { why: "unknown" });
  const state = stateSince(user, made_at);
  if (state !== "active") throw refuse("user_inactive", { why: state });
  return user;
}
