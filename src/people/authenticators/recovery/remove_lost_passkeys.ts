import type { User } from "../../../records/definition/definition.ts";
import type { SignedIn } from "../../../records/definition/request_origin.ts";
import {
  acrLately,
  canSignInWithout,
  lately,
  methodsOf,
  phishingResistantAcr,
  sudoAge,
} from "../../../records/names/sign_in_methods.ts";
import type { Transaction } from "../../../storage/database/database.ts";
import type { IdentityContext } from "../../core/context/context.ts";
import { auditRecovery, isOver, type Recovery, waitingRecovery } from "../../core/delayed_recovery.ts";
import { canProveWithoutPasskeys } from "../../core/sudo/sudo.ts";
import { dropPasskey } from "../passkeys/change_passkey.ts";
import { allPasskeysOf } from "../passkeys/own_passkeys.ts";
import { type LockedRecovery, withDueRecoveries } from "./due_recoveries.ts";

export type LostPasskeysState =
  /** The user is an administrator, so another one has to do it (docs/decisions/account-recovery.md). */
  | { readonly type: "administrator" }
  /** No passkey signs in on its own, or one was used within the last few minutes. */
  | { readonly type: "none_lost" }
  /** The user lacks another first or second factor; recovery is possible only from a new sign-in (MF-10). */
  | { readonly type: "too_little_left" }
  | { readonly type: "possible"; readonly names: readonly string[] }
  | { readonly type: "waiting"; readonly recovery: Recovery };

export async function lostPasskeysState(
  { user, session }: SignedIn,
  context: IdentityContext,
): Promise<LostPasskeysState> {
  if (user.is_platform_admin) return { type: "administrator" };
  const recovery = await waitingRecovery(user, context);
  if (recovery?.passkeys_only) return { type: "waiting", recovery };
  const enrolled = await context.store.enrolledMethods(user);
  const held = acrLately(methodsOf(session), lately(sudoAge, context.now()));
  const has_one = held === phishingResistantAcr;
  if (enrolled.passkeys.length === 0 || has_one) return { type: "none_lost" };
  if (!canProveWithoutPasskeys(enrolled)) return { type: "too_little_left" };
  const passkeys = await allPasskeysOf(user, context);
  const names = passkeys.filter(({ id }) => enrolled.passkeys.includes(id)).map(({ name }) => name);
  return { type: "possible", names };
}

interface RemovedPasskeys {
  readonly user: User;
  readonly recovery: Recovery;
  readonly names: readonly string[];
}

/**
 * Finishes each recovery of passkeys whose waiting time is over, and returns their number. `keep` runs in the
 * transaction that removes passkeys.
 */
export async function removeLostPasskeys(
  context: IdentityContext,
  keep: (tx: Transaction, removed: RemovedPasskeys) => Promise<void>,
): Promise<number> {
  const isDue = (recovery: Recovery) => recovery.passkeys_only && isOver(recovery, context);
  const work = (tx: Transaction, locked: LockedRecovery) => finish(tx, locked, context, keep);
  return (await withDueRecoveries({ isDue, quiet: false }, work, context)).length;
}

async function finish(
  tx: Transaction,
  { user, recovery }: LockedRecovery,
  context: IdentityContext,
  keep: (tx: Transaction, removed: RemovedPasskeys) => Promise<void>,
): Promise<void> {
  const { store, now } = context;
  const { id, user_id } = recovery;
  await tx.remove("recoveries", { id });
  // The server itself removes the passkeys, so the audit events have no client IP address.
  const origin = { client_ip: null, user_agent: null, request_id: id };
  const enrolled = await store.enrolledMethods(user, tx);
  if (!canSignInWithout(enrolled, enrolled.passkeys)) {
    const details = { by: "last_way", lost: "passkeys" };
    return auditRecovery(tx, { type: "recovery.deleted", user, origin, details }, context);
  }
  const stored = await tx.list("passkeys", { user_id });
  const lost = stored.filter(
    (passkey) => enrolled.passkeys.includes(passkey.id) && passkey.created_at <= recovery.created_at,
  );
  for (const passkey of lost) {
    await dropPasskey(tx, passkey, origin, context);
    await store.endOpenedSessions(tx, passkey.id, user_id, now());
  }
  const details = { lost: "passkeys", passkeys: lost.length };
  await auditRecovery(tx, { type: "recovery.finished", user, origin, details }, context);
  const names = lost.map(({ name }) => name);
  if (names.length > 0) await keep(tx, { user, recovery, names });
}
