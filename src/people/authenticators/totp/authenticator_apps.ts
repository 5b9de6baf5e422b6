import { matchTotp } from "../../../crypto/totp.ts";
import type { Row, User } from "../../../records/definition/definition.ts";
import type { RequestOrigin } from "../../../records/definition/request_origin.ts";
import { isValueOf } from "../../../records/formats/check.ts";
import { userLock } from "../../../records/names/lock_names.ts";
import type { SignInMethod } from "../../../records/names/sign_in_methods.ts";
import type { Transaction } from "../../../storage/database/database.ts";
import { auditOwnAct } from "../../core/audit_own_act.ts";
import type { IdentityContext } from "../../core/context/context.ts";
import type { FactorProof } from "../../core/factor_proof.ts";
import type { ProvedTotp } from "../../core/proofs/purposes.ts";
import { followFactorChange } from "../recovery_codes/follow_factor_change.ts";

export type AuthenticatorApp = Row<"totp_authenticators">;

/**
 * Maximum number of authenticator apps per user. Each app makes it more likely that a guessed code is
 * correct.
 */
export const mostAuthenticatorApps = 10;

type Reads = Pick<IdentityContext, "store">;
type Writes = Pick<IdentityContext, "store" | "now">;

/** Returns the user's authenticator apps, oldest first. */
export async function authenticatorAppsOf(
  { id: user_id }: Pick<User, "id">,
  { store }: Reads,
): Promise<AuthenticatorApp[]> {
  return store.list("totp_authenticators", { user_id }, { order_by: "id", limit: mostAuthenticatorApps });
}

/** Returns one of the user's own authenticator apps; undefined for another user's. */
export async function ownAuthenticatorApp(
  { id: user_id }: Pick<User, "id">,
  id: string,
  { store }: Reads,
): Promise<AuthenticatorApp | undefined> {
  return store.find("totp_authenticators", { id, user_id });
}

/** Returns whether a name is valid for an authenticator app. */
export function isAppName(name: string): boolean {
  return isValueOf("totp_authenticators", "name", name);
}

/** Renames an authenticator app. The caller has checked the name with `isAppName`. */
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

/** Stores an authenticator app whose first code was correct; undefined if the user has too many. */
export async function storeAuthenticatorApp(
  tx: Transaction,
  user: Pick<User, "id">,
  { secret, name, step }: ProvedTotp,
  origin: RequestOrigin,
  context: IdentityContext,
): Promise<{ readonly id: string; readonly name: string; readonly method: SignInMethod } | undefined> {
  const { store, sealer, now } = context;
  const user_id = user.id;
  if ((await tx.count("totp_authenticators", { user_id })) >= mostAuthenticatorApps) return undefined;
  const at = now();
  const id = store.newId(at);
  await tx.insert("totp_authenticators", {
    id,
    user_id,
    name,
    secret_sealed: sealer.seal("totp_authenticator", secret, id),
    last_step: step,
    last_used_at: at,
    created_at: at,
  });
  await followFactorChange(tx, user, context);
  await auditOwnAct(
    tx,
    context,
    { user, origin, at },
    {
      type: "authenticator_app.created",
      target_table: "totp_authenticators",
      target_id: id,
      details: { after: { name } },
    },
  );
  return { id, name, method: { kind: "totp", credential: id, at: at.getTime() } };
}

/**
 * Removes an authenticator app; false if it was already removed. The caller requires reauthentication first
 * (MF-14).
 */
export async function removeAuthenticatorApp(
  app: AuthenticatorApp,
  origin: RequestOrigin,
  context: Writes,
): Promise<boolean> {
  return context.store.transaction(async (tx) => {
    await tx.lock(userLock(app.user_id));
    return dropAuthenticatorApp(tx, app, origin, context);
  });
}

/** Removes an authenticator app in a transaction that holds the user's lock. */
export async function dropAuthenticatorApp(
  tx: Transaction,
  { id, user_id, name }: AuthenticatorApp,
  origin: RequestOrigin,
  context: Writes,
): Promise<boolean> {
  if ((await tx.remove("totp_authenticators", { id, user_id })) === 0) return false;
  const user = { id: user_id };
  await followFactorChange(tx, user, context);
  await auditOwnAct(
    tx,
    context,
    { user, origin, at: context.now() },
    {
      type: "authenticator_app.deleted",
      target_table: "totp_authenticators",
      target_id: id,
      details: { before: { name } },
    },
  );
  return true;
}

/**
 * Returns a proof if this is a current code of one of the user's authenticator apps. The caller has already
 * counted the attempt. `commitProof` of the proof consumes the code, which is accepted once across all
 * processes (MF-2).
 */
export async function findTotp(
  user: Pick<User, "id">,
  code: string,
  context: Pick<IdentityContext, "store" | "sealer" | "now">,
): Promise<FactorProof> {
  const { sealer, now } = context;
  let late = false;
  for (const { id, secret_sealed, last_step } of await authenticatorAppsOf(user, context)) {
    const match = await matchTotp(sealer.open("totp_authenticator", secret_sealed, id), code, now());
    if (match === undefined) continue;
    if ("late_by" in match) {
      late = true;
      continue;
    }
    if (match.step <= last_step) continue;
    const last_used_at = now();
    const used = { last_step: match.step, last_used_at };
    return {
      type: "proved",
      method: { kind: "totp", credential: id, at: last_used_at.getTime() },
      commitProof: async (tx) => (await tx.update("totp_authenticators", { id, last_step }, used)) > 0,
    };
  }
  return late ? { type: "late" } : { type: "wrong" };
}
