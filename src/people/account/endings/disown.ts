import type { User } from "../../../records/definition/definition.ts";
import type { RequestOrigin } from "../../../records/definition/request_origin.ts";
import { isSameMailbox } from "../../../records/names/email.ts";
import { endsUpTo, isActive } from "../../../records/names/liveness.ts";
import { userLock } from "../../../records/names/lock_names.ts";
import type { Transaction } from "../../../storage/database/database.ts";
import { dropPasskey } from "../../authenticators/passkeys/change_passkey.ts";
import {
  endStolen,
  isStolenDeletion,
  type StolenThings,
  stolenThings,
} from "../../authenticators/stolen/end_stolen.ts";
import { dropAuthenticatorApp } from "../../authenticators/totp/authenticator_apps.ts";
import { auditOwnAct } from "../../core/audit_own_act.ts";
import type { IdentityContext } from "../../core/context/context.ts";
import type { EnrolledFactor } from "../../core/enrolled_factor.ts";
import { type OpenProof, openProof, redeemProof } from "../../core/proofs/proofs.ts";
import { isPendingDeletion } from "../../core/undo_deletion.ts";

const open = (token: string, context: IdentityContext) => openProof("factor_undo", token, {}, context);

// `since` is null if the session is unknown, and absent in links of earlier versions. In both cases, the link
// ends records of any age.
const sinceOf = ({ data }: OpenProof<"factor_undo">): Date => new Date(data.since ?? 0);

/**
 * Returns the records that a link would end (`endStolen`), without consuming it; undefined if the link is not
 * valid.
 */
export async function lookAtDisownLink(
  token: string,
  context: IdentityContext,
): Promise<readonly StolenThings[] | undefined> {
  const proof = await open(token, context);
  if (proof === undefined) return undefined;
  return stolenThings({ user: { id: proof.data.user_id }, since: sinceOf(proof) }, context);
}

interface Disowned {
  readonly user: User;
  readonly same_mailbox: boolean;
  readonly ended: readonly StolenThings[];
  readonly at: Date;
}

/**
 * After a user reported a change as unauthorized, removes the added factor and ends sessions, tokens and the
 * attacker's records (`endStolen`, SS-15). Returns undefined if the link changes nothing.
 */
export async function disown(
  token: string,
  origin: RequestOrigin,
  context: IdentityContext,
): Promise<Disowned | undefined> {
  const { store, now } = context;
  const proof = await open(token, context);
  if (proof === undefined) return undefined;
  const { user_id: id, factor, email } = proof.data;
  const at = now();
  const since = sinceOf(proof);
  const done = await store.transaction(async (tx) => {
    await tx.lock(userLock(id));
    const user = await tx.find("users", { id });
    // An account whose deletion is pending is accepted too, because an attacker may have requested the
    // deletion.
    if (user === undefined || !(isActive(user) || isPendingDeletion(user, at))) return undefined;
    if (!(await redeemProof(tx, proof))) return undefined;
    const kept = isStolenDeletion(user, since, at);
    await tx.update(
      "users",
      { id },
      {
        tokens_not_before: endsUpTo(at, user),
        reset_links_not_before: at,
        ...(kept && { active: true, deletion_at: null }),
      },
    );
    if (kept) {
      const event = { type: "user.deletion_undone", target_table: "users", target_id: id, details: null };
      await auditOwnAct(tx, context, { user, origin, at }, event);
    }
    const ended = await endStolen(tx, { user, since, origin, at }, context);
    if (factor !== null) await remove(tx, user, factor, origin, context);
    return { user, ended };
  });
  if (done === undefined) return undefined;
  // `tokens_not_before` has already made the user's sessions and tokens inactive; this call marks their rows
  // as ended.
  await store.endEverythingOf(id, "revoked", at);
  return { ...done, same_mailbox: isSameMailbox(done.user.email, email), at };
}

/** Removes the factor even if it is the only sign-in method, since an attacker may have created it. */
async function remove(
  tx: Transaction,
  { id: user_id }: User,
  { kind, id }: Pick<EnrolledFactor, "kind" | "id">,
  origin: RequestOrigin,
  context: IdentityContext,
): Promise<void> {
  const dropped: Readonly<Record<EnrolledFactor["kind"], () => Promise<void>>> = {
    async totp() {
      const app = await tx.find("totp_authenticators", { id, user_id });
      if (app !== undefined) await dropAuthenticatorApp(tx, app, origin, context);
    },
    async passkey() {
      const passkey = await tx.find("passkeys", { id, user_id });
      if (passkey !== undefined) await dropPasskey(tx, passkey, origin, context);
    },
  };
  await dropped[kind]();
}
