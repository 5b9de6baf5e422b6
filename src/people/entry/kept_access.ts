/** Finds app access that outlives a sign-out (BL-6), and ends all access of a user. */
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
 * Returns the names of the apps that keep access after a sign-out (`offline_access`). An app without a
 * verified name is listed as undefined. Only the user's newest 200 unrevoked tokens are examined.
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

/** Ends every session, token, authorization code and remembered browser of the user. */
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
  // `tokens_not_before` has already made the user's sessions and tokens inactive; this call marks their rows
  // as ended.
  await store.endEverythingOf(id, "revoked", at);
}
