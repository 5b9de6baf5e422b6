import type { RequestOrigin, SignedIn } from "../../../records/definition/request_origin.ts";
import { userLock } from "../../../records/names/lock_names.ts";
import { canSignInWithout } from "../../../records/names/sign_in_methods.ts";
import type { Transaction } from "../../../storage/database/database.ts";
import { auditOwnAct, type NotedEvent } from "../../core/audit_own_act.ts";
import type { IdentityContext } from "../../core/context/context.ts";
import { followFactorChange } from "../recovery_codes/follow_factor_change.ts";
import type { Passkey } from "./own_passkeys.ts";

/** Renames a passkey. The caller has validated the name against the record definition. */
export async function renamePasskey(
  passkey: Passkey,
  name: string,
  origin: RequestOrigin,
  context: IdentityContext,
): Promise<void> {
  const { id } = passkey;
  await context.store.transaction(async (tx) => {
    if ((await tx.update("passkeys", { id }, { name })) === 0) return;
    const details = { before: { name: passkey.name }, after: { name } };
    await audit(tx, "passkey.updated", passkey, { origin, details }, context);
  });
}

type RemoveOutcome =
  | { readonly type: "removed"; readonly here: "goes_on" | "ended" }
  | { readonly type: "last_way" };

/**
 * Removes a passkey, and ends the sessions that depend on it (PK-11). Returns `last_way`, and removes
 * nothing, if it is the only sign-in method.
 */
export async function removePasskey(
  passkey: Passkey,
  { user, session }: SignedIn,
  origin: RequestOrigin,
  context: IdentityContext,
): Promise<RemoveOutcome> {
  const { store, now } = context;
  return store.transaction(async (tx): Promise<RemoveOutcome> => {
    await tx.lock(userLock(user.id));
    const current = await tx.find("users", { id: user.id });
    if (current === undefined) return { type: "last_way" };
    const enrolled = await store.enrolledMethods(current, tx);
    if (!canSignInWithout(enrolled, [passkey.id])) return { type: "last_way" };
    await dropPasskey(tx, passkey, origin, context);
    const here = await store.endOpenedSessions(tx, passkey.id, user.id, now(), session);
    return { type: "removed", here };
  });
}

/**
 * Removes a passkey in a transaction that holds the lock of its user, even if no sign-in method is left. Does
 * not end the sessions that the passkey opened.
 */
export async function dropPasskey(
  tx: Transaction,
  passkey: Passkey,
  origin: RequestOrigin,
  context: IdentityContext,
): Promise<void> {
  const { id, user_id, name } = passkey;
  if ((await tx.remove("passkeys", { id, user_id })) === 0) return;
  await followFactorChange(tx, { id: user_id }, context);
  await audit(tx, "passkey.deleted", passkey, { origin, details: { before: { name } } }, context);
}

async function audit(
  tx: Transaction,
  type: "passkey.updated" | "passkey.deleted",
  { id, user_id }: Passkey,
  { origin, details }: { readonly origin: RequestOrigin; readonly details: NotedEvent["details"] },
  context: IdentityContext,
): Promise<void> {
  const by = { user: { id: user_id }, origin, at: context.now() };
  await auditOwnAct(tx, context, by, { type, target_table: "passkeys", target_id: id, details });
}
