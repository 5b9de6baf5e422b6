/** Ends records like management (src/admin/), without its permission checks. */
import { removeApps, removeOrganization, removeUser } from "../../src/admin/records/removals.ts";
import type { TokenCarrier } from "../../src/records/definition/token_carriers.ts";
import { endsUpTo } from "../../src/records/names/liveness.ts";
import { userLock } from "../../src/records/names/lock_names.ts";
import type { Store } from "../../src/storage/store.ts";

/** Returns false if there is no such record. */
export async function deactivate(store: Store, table: TokenCarrier, id: string, at: Date): Promise<boolean> {
  const tokens_not_before = await store.transaction(async (tx) => {
    const current = await tx.find(table, { id });
    if (current === undefined) return undefined;
    const up_to = endsUpTo(at, current);
    await tx.update(table, { id }, { active: false, tokens_not_before: up_to, updated_at: at });
    if (table === "users") await tx.update("sessions", { user_id: id, ended_at: null }, { ended_at: at });
    await store.storeEnded(tx, table, id, at, up_to);
    return up_to;
  });
  await store.markEndedTokens();
  return tokens_not_before !== undefined;
}

/** Returns false if there is no such record. */
export async function reactivate(store: Store, table: TokenCarrier, id: string, at: Date): Promise<boolean> {
  return store.transaction(async (tx) => {
    const current = await tx.find(table, { id });
    if (current === undefined) return false;
    const changes = { active: true, tokens_not_before: endsUpTo(at, current), updated_at: at };
    await tx.update(table, { id, active: false }, changes);
    return true;
  });
}

export async function revokeApp(store: Store, id: string, at: Date): Promise<boolean> {
  const changes = { revoked_at: at, tokens_not_before: at, updated_at: at };
  const changed = await store.transaction(async (tx) => {
    await store.storeEnded(tx, "oauth_apps", id, at);
    return tx.update("oauth_apps", { id, revoked_at: null }, changes);
  });
  await store.markEndedTokens();
  return changed > 0;
}

/** Returns false if there was no active consent. */
export async function withdrawConsent(
  store: Store,
  user_id: string,
  app_id: string,
  revoked_reason: string,
  at: Date,
): Promise<boolean> {
  return store.transaction(async (tx) => {
    await tx.lock(userLock(user_id));
    const changes = { revoked: true, revoked_at: at, revoked_reason, updated_at: at };
    const withdrawn = await tx.update("oauth_consents", { user_id, app_id, revoked: false }, changes);
    if (withdrawn > 0) await store.endGivenToApp(tx, { user_id, app_id }, at);
    return withdrawn > 0;
  });
}

export async function deleteUser(
  store: Store,
  id: string,
  at: Date,
  successor_id?: string,
): Promise<boolean> {
  return store.transaction(async (tx) => {
    await tx.lock(userLock(id));
    const there = await tx.count("users", { id });
    await removeUser(tx, { store }, id, at, successor_id);
    return there > 0;
  });
}

export async function deleteOrganization(store: Store, id: string): Promise<boolean> {
  return store.transaction(async (tx) => {
    const there = await tx.count("organizations", { id });
    await removeOrganization(tx, { store }, id, new Date());
    return there > 0;
  });
}

export async function deleteApp(store: Store, id: string): Promise<boolean> {
  return store.transaction(async (tx) => {
    const there = await tx.count("oauth_apps", { id });
    await removeApps(tx, { id });
    return there > 0;
  });
}

export async function deleteServiceAccount(store: Store, id: string): Promise<boolean> {
  return (await store.remove("service_accounts", { id })) > 0;
}
