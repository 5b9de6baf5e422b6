/** The access of apps that outlives a sign-out, and the ending of all access (BL-6). */
import type { User } from "../../records/definition/definition.ts";
import type { RequestOrigin, SignedIn } from "../../records/definition/request_origin.ts";
import { endsUpTo } from "../../records/names/liveness.ts";
import { userLock } from "../../records/names/lock_names.ts";
import { isOffline } from "../../records/names/request_data.ts";
import { isUsable } from "../../records/rules/client_record.ts";
import { provenName } from "../../records/rules/open_clients.ts";
import { isLive, newestTokens } from "../account/connected_apps.ts";
import { auditOwnAct } from "../core/audit_own_act.ts";
import type { IdentityContext } from "../core/context/context.ts";

/**
 * The names of the apps that keep access after a sign-out, since they hold a refresh token with
 * `offline_access`; of a client without a proven name undefined. The newest 200 tokens of the user decide.
 */
export async function appsThatKeepAccess(
  user: User,
  { store, now }: Pick<IdentityContext, "store" | "now">,
): Promise<(string | undefined)[]> {
  const tokens = await store.list("oauth_tokens", { user_id: user.id, revoked: false }, newestTokens);
  const keeping = tokens.filter((token) => isOffline(token.request_data) && isLive(token, user, now()));
  const clients = await Promise.all(
    [...new Set(keeping.map(({ app_id }) => app_id))].map((app_id) => store.findClientOfApp(app_id)),
  );
  return clients.flatMap((client) =>
    client !== undefined && isUsable(client) ? [provenName(client.app)] : [],
  );
}

/** Ends every session, token, code and remembered browser of the user, as they asked when they signed out. */
export async function endAllAccess(
  { user: { id } }: Pick<SignedIn, "user">,
  origin: RequestOrigin,
  context: IdentityContext,
): Promise<void> {
  const { store } = context;
  const at = context.now();
  await store.transaction(async (tx) => {
    await tx.lock(userLock(id));
    const user = await tx.find("users", { id });
    if (user === undefined) return;
    await tx.update("users", { id }, { tokens_not_before: endsUpTo(at, user) });
    const event = { type: "user.access_revoked", target_table: "users", target_id: id, details: null };
    await auditOwnAct(tx, context, { user, origin, at }, event);
  });
  // Already inactive by the time in the user's row; here their rows follow.
  await store.endEverythingOf(id, "revoked", at);
}
