import { stateOfToken } from "../../records/names/liveness.ts";
import { userLock } from "../../records/names/lock_names.ts";
import { requirePermission } from "../access/access.ts";
import type { AdminContext } from "../access/actor.ts";
import { type AdminEvent, logEvent, recordEvent } from "../changes/audit.ts";
import { revokeConsent } from "../records/consents.ts";
import { impactOf } from "../reports/impact.ts";
import { consents } from "./apps.ts";

interface Access {
  readonly user_id: string;
  readonly app_id: string;
}

/** The tokens of one user and app are counted only up to this number, because there can be very many. */
export const countedTokens = 1000;

/** Returns how many active tokens the app has for the user, at most `countedTokens`. */
export async function countTokensOf(context: AdminContext, { user_id, app_id }: Access): Promise<number> {
  const { store, now } = context;
  const consent = await store.findConsent(user_id, app_id);
  if (consent !== undefined) {
    const { tokens = 0 } = await impactOf(context, consents, consent.id);
    return Math.min(tokens, countedTokens);
  }
  await requirePermission(context, "tokens:read", "oauth_tokens", { organization_ids: [], user_id });
  const at = now();
  const tokens = await store.list(
    "oauth_tokens",
    { user_id, app_id, revoked: false },
    { order_by: "id", descending: true, limit: countedTokens },
  );
  const live = tokens.filter((token) => stateOfToken(token, at) === "active");
  return live.length;
}

/** Withdraws the user's consent to the app and ends all of the app's tokens and codes for the user. */
export async function withdrawApp(context: AdminContext, { user_id, app_id }: Access): Promise<void> {
  const { store, now } = context;
  await requirePermission(context, "consents:write", "oauth_consents", { organization_ids: [], user_id });
  const consent = await store.findConsent(user_id, app_id);
  if (consent !== undefined) {
    await revokeConsent(context, consent.id);
    return;
  }
  const app = await store.find("oauth_apps", { id: app_id });
  const event: AdminEvent = {
    type: "app.access_ended",
    target_table: "oauth_apps",
    target_id: app_id,
    organization_id: app?.organization_id ?? null,
    details: { user_id },
  };
  await store.transaction(async (tx) => {
    await tx.lock(userLock(user_id));
    await store.endGivenToApp(tx, { user_id, app_id }, now());
    await recordEvent(context, event, tx);
  });
  await store.markSomeTokens({ user_id, app_id });
  logEvent(context, event);
}
