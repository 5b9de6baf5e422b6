/**
 * Changes the email address of the user's own account (SS-7). Until the user confirms a link sent to the new
 * mailbox, the stored address stays in use.
 */

import { sha256 } from "../../../crypto/digest.ts";
import { orTaken } from "../../../errors/violations.ts";
import type { User } from "../../../records/definition/definition.ts";
import type { RequestOrigin, SignedIn } from "../../../records/definition/request_origin.ts";
import { emailKey, isEmail, trimEmail } from "../../../records/names/email.ts";
import { isActive, lockOfEmail } from "../../../records/names/liveness.ts";
import { userLock } from "../../../records/names/lock_names.ts";
import { usernameAfterEmail } from "../../../records/rules/attributes.ts";
import type { Transaction } from "../../../storage/database/database.ts";
import { auditOwnAct } from "../../core/audit_own_act.ts";
import type { IdentityContext } from "../../core/context/context.ts";
import { findAccount } from "../../core/find_account.ts";
import { dropProof, makeProof, newProofToken, openProof, redeemProof } from "../../core/proofs/proofs.ts";
import { countEmailChange } from "../../core/throttle.ts";
import { makeEmailUndo } from "./undo_email.ts";

type EmailRefusal =
  | { readonly type: "refused"; readonly reason: "email" | "same" }
  | { readonly type: "locked"; readonly until: Date };

type EmailRequest =
  /**
   * Also returned if another account has the email address. The caller then sends no email, because
   * `isFreeFor` returns false.
   */
  | { readonly type: "asked"; readonly email: string; readonly token: string }
  | EmailRefusal
  /** `retry_after` in seconds. */
  | { readonly type: "throttled"; readonly retry_after: number };

/** Returns why this email address cannot be requested; undefined if it can be. */
export function refusalOf(
  user: User,
  typed: string,
  { now }: Pick<IdentityContext, "now">,
): EmailRefusal | undefined {
  const email = trimEmail(typed);
  if (!isEmail(email)) return { type: "refused", reason: "email" };
  if (email === user.email) return { type: "refused", reason: "same" };
  const until = lockOfEmail(user, now());
  return until === undefined ? undefined : { type: "locked", until };
}

/**
 * Stores the requested email address in place of an earlier request, and returns the token of the link that
 * confirms it.
 */
export async function requestEmailChange(
  user: User,
  typed: string,
  context: IdentityContext,
): Promise<EmailRequest> {
  const refused = refusalOf(user, typed, context);
  if (refused !== undefined) return refused;
  const email = trimEmail(typed);
  const retry_after = await countEmailChange(user.id, emailKey(email), context);
  if (retry_after !== undefined) return { type: "throttled", retry_after };
  const token = newProofToken(context);
  const data = { email, link: signatureOf(token) };
  await makeProof("email_change", { place: user.id, user, bonds: {}, data }, context);
  return { type: "asked", email, token };
}

/**
 * Returns whether no other account has the email address. Called only after the response, so that its timing
 * reveals nothing (L-9).
 */
export async function isFreeFor(
  { id }: Pick<User, "id">,
  email: string,
  { store }: Pick<IdentityContext, "store">,
): Promise<boolean> {
  const account = await findAccount(store, email);
  return account === undefined || account.id === id;
}

/** Returns the email address that the user has requested but not confirmed. */
export async function pendingEmail(
  { id }: Pick<User, "id">,
  context: IdentityContext,
): Promise<string | undefined> {
  return (await openProof("email_change", id, {}, context))?.data.email;
}

/**
 * Returns the email address that this link would set, without consuming the link; undefined if it is not
 * valid.
 */
export async function emailOfLink(
  { id }: Pick<User, "id">,
  token: string,
  context: IdentityContext,
): Promise<string | undefined> {
  const proof = await openProof("email_change", id, {}, context);
  return proof?.data.link === signatureOf(token) ? proof.data.email : undefined;
}

export async function dropPendingEmail({ id }: Pick<User, "id">, context: IdentityContext): Promise<void> {
  await dropProof("email_change", id, context);
}

interface ChangedEmail {
  readonly before: User;
  readonly email: string;
  readonly undo_token: string;
}

export type NotifyChanged = (tx: Transaction, changed: ChangedEmail) => Promise<void>;

/**
 * Makes the pending email address the account's address. Returns undefined if the link or session is invalid,
 * the current address is locked, or another account has the new one. Password reset links that were mailed
 * before become invalid.
 */
export async function confirmEmail(
  { user, session }: SignedIn,
  token: string,
  { origin, notify }: { readonly origin: RequestOrigin; readonly notify?: NotifyChanged },
  context: IdentityContext,
): Promise<ChangedEmail | undefined> {
  const { store } = context;
  const at = context.now();
  if ((await emailOfLink(user, token, context)) === undefined) return undefined;
  return orTaken(
    store.transaction(async (tx) => {
      await tx.lock(userLock(user.id));
      if (await store.wasShutOut(tx, session, at)) return undefined;
      const proof = await openProof("email_change", user.id, {}, context, tx);
      if (proof?.user === undefined || proof.data.link !== signatureOf(token)) return undefined;
      const before = proof.user;
      if (!isActive(before) || lockOfEmail(before, at)) return undefined;
      const { email } = proof.data;
      if (!(await redeemProof(tx, proof))) return undefined;
      const changes = {
        ...{ email, email_key: emailKey(email), email_verified_at: at, updated_at: at },
        ...usernameAfterEmail({ ...before, email, email_verified_at: at }),
      };
      await tx.update("users", { id: user.id }, { ...changes, reset_links_not_before: at });
      await auditOwnAct(
        tx,
        context,
        { user, origin, at },
        {
          type: "user.updated",
          target_table: "users",
          target_id: user.id,
          details: { before: { email: before.email }, after: { email } },
        },
      );
      const undo_token = await makeEmailUndo(tx, before, at, context, session.created_at);
      const changed = { before, email, undo_token };
      await notify?.(tx, changed);
      return changed;
    }),
    () => undefined,
  );
}

const signatureOf = (token: string): string => sha256(token).toString("base64url");
