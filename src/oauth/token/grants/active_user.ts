import type { OAuthApp, User } from "../../../records/definition/definition.ts";
import { stateSince } from "../../../records/names/liveness.ts";
import type { AuthorizationServer } from "../../core/server.ts";
import { maySignIn } from "../../organizations/context.ts";
import { refuse } from "../../refusals/refuse.ts";

/**
 * The user of a grant, who must be active, not have been ended since it was made, and still be let into the app (OC-8). Throws `invalid_grant`.
 */
export async function requireActiveUser(
  user_id: string,
  made_at: Date,
  app: OAuthApp,
  server: AuthorizationServer,
): Promise<User> {
  const user = await server.store.findUser(user_id);
  if (user === undefined) throw refuse("user_inactive", { why: "unknown" });
  const state = stateSince(user, made_at);
  if (state !== "active") throw refuse("user_inactive", { why: state });
  if (!(await maySignIn(user, app, server))) throw refuse("membership_lacking");
  return user;
}
