/** "It was not me": the link in the mail about an account's first second factor (MF-12). */
import type { User } from "../../records/definition.ts";
import { isSameMailbox } from "../../records/email.ts";
import { endsUpTo, isActive } from "../../records/liveness.ts";
import { userLock } from "../../records/lock_names.ts";
import type { RequestOrigin } from "../../records/request_origin.ts";
import type { Transaction } from "../../storage/database.ts";
import type { IdentityContext } from "../context.ts";
import { isPendingDeletion } from "../own_account/undo_deletion.ts";
import { dropPasskey } from "../passkeys/change_passkey.ts";
import { makeProof, newProofToken, openProof, spendProof } from "../proofs/proofs.ts";
import { dropAuthenticatorApp } from "./authenticator_apps.ts";
import type { EnrolledFactor } from "./enrol_factor.ts";

/**
 * A token for the link, made with the factor. It outlives what ends the user's other links: who added the
 * factor could end those by another password.
 */
export async function newUndoToken(
  { id: user_id, email }: Pick<User, "id" | "email">,
  { kind, id }: Pick<EnrolledFactor, "kind" | "id">,
  context: IdentityContext,
  tx?: Transaction,
): Promise<string> {
  const token = newProofToken(context);
  const data = { user_id, factor: { kind, id }, email };
  await makeProof("factor_undo", { place: token, bonds: {}, data }, context, tx);
  return token;
}

const open = (token: string, context: IdentityContext) => openProof("factor_undo", token, {}, context);

/** Whether a link is good. Looking uses nothing up, so that mail scanners may look. */
export async function isUndoLink(token: string, context: IdentityContext): Promise<boolean> {
  return (await open(token, context)) !== undefined;
}

/**
 * Removes the factor and ends all sessions and tokens of the user, and what browsers know of them, all or
 * nothing. Answers the user, who is to set another password; `same_mailbox` where mail to the address still
 * goes where the link went. Undefined for a dead link, and for a user who was switched off.
 */
export async function undoFactor(
  token: string,
  origin: RequestOrigin,
  context: IdentityContext,
): Promise<{ readonly user: User; readonly same_mailbox: boolean } | undefined> {
  const { store, now } = context;
  const proof = await open(token, context);
  if (proof === undefined) return undefined;
  const { user_id: id, factor, email } = proof.data;
  const at = now();
  const user = await store.transaction(async (tx) => {
    await tx.lock(userLock(id));
    const found = await tx.find("users", { id });
    // A thief may have asked for the deletion, too.
    if (found === undefined || !(isActive(found) || isPendingDeletion(found, at))) return undefined;
    if (!(await spendProof(tx, proof))) return undefined;
    await tx.update("users", { id }, { tokens_not_before: endsUpTo(at, found) });
    await remove(tx, found, factor, origin, context);
    return found;
  });
  if (user === undefined) return undefined;
  // They are dead by the moment in the user's row; here their rows follow.
  await store.endEverythingOf(id, "revoked", at);
  return { user, same_mailbox: isSameMailbox(user.email, email) };
}

/** The only way in goes as well, since a thief may have made it. A mailed link then brings another. */
async function remove(
  tx: Transaction,
  { id: user_id }: User,
  { kind, id }: Pick<EnrolledFactor, "kind" | "id">,
  origin: RequestOrigin,
  context: IdentityContext,
): Promise<void> {
  if (kind === "totp") {
    const app = await tx.find("totp_authenticators", { id, user_id });
    if (app !== undefined) await dropAuthenticatorApp(tx, app, origin, context);
  } else {
    const passkey = await tx.find("passkeys", { id, user_id });
    if (passkey !== undefined) await dropPasskey(tx, passkey, origin, context);
  }
}
