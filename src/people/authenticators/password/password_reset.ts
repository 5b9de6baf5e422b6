/** Forgotten passwords: a one-time link mailed to the address of an account (docs/decisions/passwords.md). */

import { type PasswordWeakness, passwordWeakness, shortestBy } from "../../../crypto/password_rules.ts";
import type { OAuthAccount, User } from "../../../records/definition/definition.ts";
import type { RequestOrigin } from "../../../records/definition/request_origin.ts";
import { emailKey, emailKeys, trimEmail } from "../../../records/names/email.ts";
import { endsUpTo, isActive } from "../../../records/names/liveness.ts";
import { userLock } from "../../../records/names/lock_names.ts";
import type { Verbs } from "../../../storage/database/verbs.ts";
import type { IdentityContext } from "../../core/context/context.ts";
import { findAccount } from "../../core/find_account.ts";
import {
  makeProof,
  newProofToken,
  type OpenProof,
  openProof,
  redeemProof,
} from "../../core/proofs/proofs.ts";
import { purposes } from "../../core/proofs/purposes.ts";
import { countMailRequest, forgiveAttempts } from "../../core/throttle.ts";
import { endStolen } from "../stolen/end_stolen.ts";
import { removeUnprovedMethods } from "../stolen/remove_unproved_methods.ts";

export const resetLinkMinutes: number = purposes.password_reset.minutes;

export interface ResetRequest {
  readonly email: string;
  readonly origin: RequestOrigin;
  readonly browser_marks?: string | undefined;
  readonly actor?: { readonly kind: "anonymous" | "user" | "client"; readonly id?: string } | undefined;
  /**
   * When the user reported an unauthorized change, if the link is mailed because of that report. Using the
   * link also ends records created since that time (SS-15).
   */
  readonly stolen_since?: Date | undefined;
}

/** `to` is the stored email address, never the typed one. */
export type ResetMail =
  | { readonly type: "link"; readonly to: string; readonly token: string }
  | { readonly type: "inactive"; readonly to: string }
  /** The account has no password, but other sign-in methods (SS-13). */
  | { readonly type: "other_ways"; readonly to: string; readonly ways: OtherMethods };

export interface OtherMethods {
  readonly passkey: boolean;
  readonly providers: readonly string[];
}

export type ResetOutcome =
  /** `removed` lists the methods that were removed because the email address had not been verified. */
  | {
      readonly type: "done";
      readonly user: User;
      readonly removed: { readonly links: readonly OAuthAccount[]; readonly passkeys: readonly string[] };
    }
  | { readonly type: "dead_link" }
  | { readonly type: "refused"; readonly weakness: PasswordWeakness };

/**
 * Counts a request for a new password, whether or not an account has the email address (L-10). Returns the
 * seconds to wait; undefined if it may proceed.
 */
export async function admitResetRequest(
  { email, origin, browser_marks }: ResetRequest,
  context: IdentityContext,
): Promise<number | undefined> {
  const { client_ip } = origin;
  return countMailRequest("password reset", { account: trimEmail(email), client_ip, browser_marks }, context);
}

/**
 * Returns the email to the user with this email address; undefined if no account has it. Writes the same rows
 * if there is no link to mail, so the server's work reveals no accounts (L-9).
 */
export async function makeResetMail(
  { email, origin, actor = { kind: "anonymous" }, stolen_since }: ResetRequest,
  context: IdentityContext,
): Promise<ResetMail | undefined> {
  const { store, report } = context;
  const user = await findAccount(store, email);
  const ways = isActive(user) ? await otherMethods(user, context) : undefined;
  const fitting = ways !== undefined && !hasAny(ways);
  const token = newProofToken(context);
  const email_key = user?.email_key ?? emailKey(trimEmail(email));
  await makeProof(
    "password_reset",
    {
      place: token,
      user: fitting && user !== undefined ? user : nobody(context),
      bonds: {},
      data: { email_key, ...(stolen_since && { stolen_since: stolen_since.getTime() }) },
      newest_of: email_key,
    },
    context,
  );

  const reason =
    user === undefined
      ? "unknown_user"
      : ways === undefined
        ? "inactive_user"
        : fitting
          ? undefined
          : "no_password";
  report({
    type: "password_reset_request",
    outcome: fitting ? "success" : "failure",
    actor,
    ...(user !== undefined && { target: { table: "users", id: user.id } }),
    origin,
    ...(reason !== undefined && { details: { reason } }),
  });
  if (user === undefined) return undefined;
  const to = user.email;
  if (ways === undefined) return { type: "inactive", to };
  return fitting ? { type: "link", to, token } : { type: "other_ways", to, ways };
}

function nobody({
  store,
  now,
}: IdentityContext): Pick<User, "id" | "tokens_not_before" | "reset_links_not_before"> {
  return { id: store.newId(now()), tokens_not_before: null, reset_links_not_before: null };
}

/** Returns the sign-in methods of a user without a password; none if a link may set the password (SS-13). */
async function otherMethods(
  user: User,
  { store }: IdentityContext,
  reads: Pick<Verbs, "list" | "count"> = store,
): Promise<OtherMethods> {
  if (user.password_hash !== null) return { passkey: false, providers: [] };
  const { passkeys, providers } = await store.enrolledMethods(user, reads);
  const linked = new Set(providers.map(({ slug }) => slug));
  const all = await reads.list("providers", { active: true });
  const names = all.filter(({ slug }) => linked.has(slug)).map(({ label }) => label);
  return { passkey: passkeys.length > 0, providers: names };
}

/**
 * Returns the sign-in methods of a user who gets no password link by email; undefined if the user gets one.
 */
export async function methodsWithoutLink(
  user: User,
  context: IdentityContext,
): Promise<OtherMethods | undefined> {
  const ways = await otherMethods(user, context);
  return hasAny(ways) ? ways : undefined;
}

const hasAny = ({ passkey, providers }: OtherMethods): boolean => passkey || providers.length > 0;

/**
 * Returns the user whose password a link would set now. Does not consume the link, so mail scanners do no
 * harm.
 */
export async function findResetLink(token: string, context: IdentityContext): Promise<User | undefined> {
  return (await readLink(context.store, token, context))?.user;
}

/**
 * Consumes a link to set a new password, and ends every session, token and remembered browser (design 6.8,
 * MF-9, EP-11). A rejected password leaves the link valid. Throws an `OverloadedError` if too many hashes are
 * waiting.
 */
export async function resetPassword(
  { token, password, origin }: { token: string; password: string; origin: RequestOrigin },
  context: IdentityContext,
): Promise<ResetOutcome> {
  const { store, passwords, report } = context;
  const seen = await readLink(store, token, context);
  if (seen === undefined) return { type: "dead_link" };
  const weakness = passwordWeakness(password, shortestBy(context.settings));
  if (weakness !== undefined) return { type: "refused", weakness };
  const password_hash = await passwords.hash(password);

  const now = context.now();
  const done = await store.transaction(async (tx) => {
    await tx.lock(userLock(seen.user.id));
    const link = await readLink(tx, token, context);
    if (link === undefined || !(await redeemProof(tx, link.proof))) return undefined;
    const { id, email_key, is_platform_admin } = link.user;
    // Writes nothing if the account's address, password or administrator status changed after the link was
    // read.
    const written = await tx.update(
      "users",
      { id, email_key, is_platform_admin, active: true, password_hash: link.user.password_hash },
      { password_hash, email_verified_at: now, tokens_not_before: endsUpTo(now, link.user), updated_at: now },
    );
    if (written === 0) return undefined;
    await store.forgetForeignPassword(tx, link.user.password_hash);
    await tx.remove("devices", { user_id: id });
    const { stolen_since } = link.proof.data;
    if (stolen_since !== undefined) {
      const theft = { user: link.user, since: new Date(stolen_since), origin, at: now };
      await endStolen(tx, theft, context);
    }
    const removed = await removeUnprovedMethods(tx, link.user, { origin, at: now }, context);
    return { user: link.user, removed };
  });
  if (done === undefined) return { type: "dead_link" };
  const { user, removed } = done;
  // `tokens_not_before` has already made the user's sessions and tokens inactive; this call marks their rows
  // as ended.
  await store.endEverythingOf(user.id, "password_changed", now);
  await forgiveAttempts({ account: user, client_ip: origin.client_ip }, context);
  report({
    type: "password_reset",
    outcome: "success",
    actor: { kind: "user", id: user.id },
    target: { table: "users", id: user.id },
    origin,
  });
  return { type: "done", user, removed };
}

async function readLink(
  reads: Pick<Verbs, "find" | "list" | "count">,
  token: string,
  context: IdentityContext,
): Promise<{ user: User; proof: OpenProof<"password_reset"> } | undefined> {
  const proof = await openProof("password_reset", token, {}, context, reads);
  const user = proof?.user;
  if (proof === undefined || user === undefined) return undefined;
  if (!emailKeys(user.email).includes(proof.data.email_key)) return undefined;
  return hasAny(await otherMethods(user, context, reads)) ? undefined : { user, proof };
}
