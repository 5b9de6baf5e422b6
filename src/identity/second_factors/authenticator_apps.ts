/** A person's authenticator apps: which there are, another name, and the end of one. */
import { checkChange } from "../../records/check.ts";
import type { Row, User } from "../../records/definition.ts";
import { userLock } from "../../records/lock_names.ts";
import type { RequestOrigin } from "../../records/request_origin.ts";
import { hasSecondFactor } from "../../records/sign_in_methods.ts";
import type { Transaction } from "../../storage/database.ts";
import { auditOwnAct } from "../audit_own_act.ts";
import type { IdentityContext } from "../context.ts";

export type AuthenticatorApp = Row<"totp_authenticators">;

/** Authenticator apps of one person, at most. */
export const mostAuthenticatorApps = 10;

type Reads = Pick<IdentityContext, "store">;
type Writes = Pick<IdentityContext, "store" | "now">;

/** The person's authenticator apps, the oldest first. */
export async function authenticatorAppsOf(
  { id: user_id }: Pick<User, "id">,
  { store }: Reads,
): Promise<AuthenticatorApp[]> {
  return store.list("totp_authenticators", { user_id }, { order_by: "id", limit: mostAuthenticatorApps });
}

/** A person's own authenticator app; undefined for anybody else's. */
export async function ownAuthenticatorApp(
  { id: user_id }: Pick<User, "id">,
  id: string,
  { store }: Reads,
): Promise<AuthenticatorApp | undefined> {
  return store.find("totp_authenticators", { id, user_id });
}

/** Whether an authenticator app may be called so: one line of 1 to 64 characters. */
export function isAppName(name: string): boolean {
  return checkChange("totp_authenticators", {} as AuthenticatorApp, { name }).errors.length === 0;
}

/** Gives an authenticator app another name, which `isAppName` has accepted. */
export async function renameAuthenticatorApp(
  { id, user_id, name: before }: AuthenticatorApp,
  name: string,
  origin: RequestOrigin,
  context: Writes,
): Promise<void> {
  await context.store.transaction(async (tx) => {
    if ((await tx.update("totp_authenticators", { id }, { name })) === 0) return;
    await auditOwnAct(
      tx,
      context,
      { user: { id: user_id }, origin, at: context.now() },
      {
        type: "authenticator_app.updated",
        target_table: "totp_authenticators",
        target_id: id,
        details: { before: { name: before }, after: { name } },
      },
    );
  });
}

/**
 * Removes an authenticator app. The caller has seen that factor or a stronger one within the last minutes
 * (MF-14). Recovery codes go with the last second factor, for which alone they stand in. False when it was
 * gone already.
 */
export async function removeAuthenticatorApp(
  { id, user_id, name }: AuthenticatorApp,
  origin: RequestOrigin,
  context: Writes,
): Promise<boolean> {
  const { store, now } = context;
  const user = { id: user_id };
  return store.transaction(async (tx) => {
    await tx.lock(userLock(user_id));
    if ((await tx.remove("totp_authenticators", { id, user_id })) === 0) return false;
    await followFactorChange(tx, user, context);
    await auditOwnAct(
      tx,
      context,
      { user, origin, at: now() },
      {
        type: "authenticator_app.deleted",
        target_table: "totp_authenticators",
        target_id: id,
        details: { before: { name } },
      },
    );
    return true;
  });
}

/**
 * What follows in the same transaction when a second factor came or went: every browser is asked for a second
 * factor again (MF-13), and without a second factor no recovery code is left.
 */
export async function followFactorChange(
  tx: Transaction,
  { id: user_id }: Pick<User, "id">,
  { store }: Reads,
): Promise<void> {
  await tx.remove("devices", { user_id });
  const factors = await store.secondFactorsOf(user_id, tx);
  const none = { password: false, recovery_codes: 0, providers: [] };
  if (!hasSecondFactor({ ...factors, ...none })) await tx.remove("recovery_codes", { user_id });
}
