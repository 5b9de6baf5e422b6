import { tablesOfReset } from "../../../records/definition/factor_kinds.ts";
import type { RequestOrigin } from "../../../records/definition/request_origin.ts";
import { endsUpTo } from "../../../records/names/liveness.ts";
import { userLock } from "../../../records/names/lock_names.ts";
import { auditOwnAct } from "../../core/audit_own_act.ts";
import type { IdentityContext } from "../../core/context/context.ts";
import { offersRecovery, recoveryState } from "../../core/delayed_recovery.ts";
import { beginHalfSignIn, type HalfSignIn } from "../../core/half_sign_in.ts";
import { redeemProof } from "../../core/proofs/proofs.ts";

/**
 * Removes the lost second factors after the waiting time, and ends every session and token (MF-10). Returns
 * false if the recovery cannot finish now in this browser.
 */
export async function finishRecovery(
  half: HalfSignIn,
  {
    cookie,
    origin,
    request,
  }: {
    readonly cookie: string | undefined;
    readonly origin: RequestOrigin;
    readonly request: string;
  },
  context: IdentityContext,
): Promise<boolean> {
  const { store, now } = context;
  const at = now();
  const { id } = half.user;
  const user = await store.transaction(async (tx) => {
    await tx.lock(userLock(id));
    const current = await tx.find("users", { id });
    if (current === undefined || !current.active) return undefined;
    if (!offersRecovery({ user: current, methods: half.methods }, context)) return undefined;
    const state = await recoveryState(current, cookie, context, tx);
    if (state.type !== "ready" || !(await redeemProof(tx, half.proof))) return undefined;
    for (const table of tablesOfReset) await tx.remove(table, { user_id: id });
    await tx.remove("recoveries", { user_id: id });
    const tokens_not_before = endsUpTo(at, current);
    const changes = { factors_reset_at: at, tokens_not_before, updated_at: at };
    await tx.update("users", { id }, changes);
    const event = { type: "recovery.finished", target_table: "users", target_id: id, details: null };
    await auditOwnAct(tx, context, { user: current, origin, at }, event);
    return { ...current, ...changes };
  });
  if (user === undefined) return false;
  // `tokens_not_before` has already made the user's sessions and tokens inactive; this call marks their rows
  // as ended.
  await store.endEverythingOf(id, "revoked", at);
  const { browser } = half.proof.sealed.bonds;
  await beginHalfSignIn({ user, methods: half.methods, browser, request }, context);
  return true;
}
