/** "It was not me": the link in the mail about an account's first second factor (MF-12). */
import type { User } from "../../records/definition.ts";
import { isActive } from "../../records/liveness.ts";
import { userLock } from "../../records/lock_names.ts";
import type { RequestOrigin } from "../../records/request_origin.ts";
import type { IdentityContext } from "../context.ts";
import { dropPasskey } from "../passkeys/change_passkey.ts";
import { ownPasskey } from "../passkeys/own_passkeys.ts";
import { makeProof, newProofToken, openProof, spendProof } from "../proofs/proofs.ts";
import { ownAuthenticatorApp, removeAuthenticatorApp } from "./authenticator_apps.ts";
import type { EnrolledFactor } from "./enrol_factor.ts";

/**
 * A token for the link. It outlives what ends the user's other links: who added the factor could end those by
 * another password.
 */
export async function newUndoToken(
  { id: user_id, email_key }: Pick<User, "id" | "email_key">,
  { kind, id }: Pick<EnrolledFactor, "kind" | "id">,
  context: IdentityContext,
): Promise<string> {
  const token = newProofToken(context);
  const data = { user_id, factor: { kind, id }, email_key };
  await makeProof("factor_undo", { place: token, bonds: {}, data }, context);
  return token;
}

const open = (token: string, context: IdentityContext) => openProof("factor_undo", token, {}, context);

/** Whether a link is good. Looking uses nothing up, so that mail scanners may look. */
export async function isUndoLink(token: string, context: IdentityContext): Promise<boolean> {
  return (await open(token, context)) !== undefined;
}

/**
 * Removes the factor and ends all sessions and tokens of the user, and what browsers know of them. Answers
 * the user, who is to set another password; `same_mailbox` where the address is still the one that was
 * written to. Undefined for a dead link.
 */
export async function undoFactor(
  token: string,
  origin: RequestOrigin,
  context: IdentityContext,
): Promise<{ readonly user: User; readonly same_mailbox: boolean } | undefined> {
  const { store, now } = context;
  const proof = await open(token, context);
  if (proof === undefined) return undefined;
  const { user_id: id, factor, email_key } = proof.data;
  const at = now();
  const user = await store.transaction(async (tx) => {
    await tx.lock(userLock(id));
    if (!(await spendProof(tx, proof))) return undefined;
    const found = await tx.find("users", { id });
    if (found === undefined || !isActive(found)) return undefined;
    await tx.update("users", { id }, { tokens_not_before: at });
    return found;
  });
  if (user === undefined) return undefined;
  await remove(user, factor, origin, context);
  await store.endEverythingOf(id, "revoked", at);
  return { user, same_mailbox: user.email_key === email_key };
}

/** The only way in goes as well, since a thief may have made it. A mailed link then brings another. */
async function remove(
  user: User,
  { kind, id }: Pick<EnrolledFactor, "kind" | "id">,
  origin: RequestOrigin,
  context: IdentityContext,
): Promise<void> {
  if (kind === "totp") {
    const app = await ownAuthenticatorApp(user, id, context);
    if (app !== undefined) await removeAuthenticatorApp(app, origin, context);
  } else {
    const passkey = await ownPasskey(user, id, context);
    if (passkey !== undefined) await dropPasskey(passkey, origin, context);
  }
}
