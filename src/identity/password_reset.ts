/**
 * Forgotten passwords: a one-time link to the address of an account (docs/decisions/0019). Of a link only the
 * signature is kept, beside a row that says which link of an address is the newest.
 */

import { credentialPrefix, findSignature, newCredential } from "../crypto/credentials.ts";
import { type PasswordWeakness, passwordWeakness } from "../crypto/password_rules.ts";
import type { User } from "../records/definition.ts";
import { emailKey } from "../records/email.ts";
import { hasPassed, isActive } from "../records/liveness.ts";
import { userLock } from "../records/lock_names.ts";
import type { RequestOrigin } from "../records/request_origin.ts";
import type { Verbs } from "../storage/verbs.ts";
import type { IdentityContext } from "./context.ts";
import { findAccount } from "./find_account.ts";
import { countResetRequest, forgiveAttempts } from "./throttle.ts";

/** How long a link works, minutes. */
export const resetLinkMinutes = 30;

export interface ResetRequest {
  /** As it was typed. */
  readonly email: string;
  readonly origin: RequestOrigin;
  /** The browser's marks of earlier sign-ins (`browser_marks.ts`). */
  readonly browser_marks?: string | undefined;
}

/**
 * The mail to a person who asked for a new password; `to` is the address of the record, never the typed one.
 */
export type ResetLetter =
  | { readonly type: "link"; readonly to: string; readonly token: string }
  /** The account is switched off, or has no password that could be replaced. */
  | { readonly type: "inactive" | "no_password"; readonly to: string };

export type ResetOutcome =
  | { readonly type: "done"; readonly user: User }
  /** The link is unknown, used, too old, or a newer one took its place. */
  | { readonly type: "dead_link" }
  | { readonly type: "refused"; readonly weakness: PasswordWeakness };

/**
 * Counts a request for a new password, for known and unknown addresses alike (L-10). The seconds until the
 * next one is admitted, undefined when this one may go on.
 */
export async function admitResetRequest(
  { email, origin, browser_marks }: ResetRequest,
  context: IdentityContext,
): Promise<number | undefined> {
  const { client_ip } = origin;
  return countResetRequest({ email_key: emailKey(email.trim()), client_ip, browser_marks }, context);
}

/**
 * The mail to the user with this address; undefined when there is none. Makes a link that takes the place of
 * an older one. Writes the same rows for an unknown address, so that later work on the same server gives no
 * hint (L-9).
 */
export async function makeResetLetter(
  { email, origin }: ResetRequest,
  context: IdentityContext,
): Promise<ResetLetter | undefined> {
  const { store, report } = context;
  const now = context.now();
  const user = await findAccount(store, email.trim());
  const email_key = user?.email_key ?? emailKey(email.trim());
  const token = newCredential(credentialPrefix.one_time, now);
  const key = findSignature(credentialPrefix.one_time, token);
  if (key === undefined) throw new TypeError("a reset token has the shape of a credential");
  const expires_at = new Date(now.getTime() + resetLinkMinutes * 60_000);
  const fitting = isActive(user) && user.password_hash !== null;
  const stands = fitting
    ? standing(user)
    : standing({ id: store.newId(now), tokens_not_before: null, reset_links_not_before: null });
  await store.keepEphemeral("password_reset", key, stands, expires_at, now);
  const newest = newestKey(email_key, context);
  await store.keepEphemeral("password_reset", newest, key.toString("hex"), expires_at, now);

  const reason =
    user === undefined
      ? "unknown_user"
      : !isActive(user)
        ? "inactive_user"
        : fitting
          ? undefined
          : "no_password";
  report({
    type: "password_reset_request",
    outcome: fitting ? "success" : "failure",
    actor: { kind: "anonymous" },
    ...(user !== undefined && { target: { table: "users", id: user.id } }),
    origin,
    ...(reason !== undefined && { details: { reason } }),
  });
  if (user === undefined) return undefined;
  const to = user.email;
  return fitting ? { type: "link", to, token } : { type: isActive(user) ? "no_password" : "inactive", to };
}

/**
 * The user whose password a link would set at this moment. Looking uses nothing up, so that mail scanners may
 * look.
 */
export async function findResetLink(token: string, context: IdentityContext): Promise<User | undefined> {
  return (await readLink(context.store, token, context))?.user;
}

/**
 * Spends a link on a new password, and ends every session and token of the user (design 6.8). It signs no one
 * in. With a password that cannot be set the link stays good. Throws an `OverloadedError` when too many
 * hashes are waiting.
 */
export async function resetPassword(
  { token, password, origin }: { token: string; password: string; origin: RequestOrigin },
  context: IdentityContext,
): Promise<ResetOutcome> {
  const { store, passwords, report } = context;
  const seen = await readLink(store, token, context);
  if (seen === undefined) return { type: "dead_link" };
  const weakness = passwordWeakness(password);
  if (weakness !== undefined) return { type: "refused", weakness };
  const password_hash = await passwords.hash(password);

  const now = context.now();
  const user = await store.transaction(async (tx) => {
    await tx.lock(userLock(seen.user.id));
    const link = await readLink(tx, token, context);
    if (link === undefined) return undefined;
    const { id, email_key, is_platform_admin } = link.user;
    // Only while it is the account that was read: a change of the address, the password or the power
    // meanwhile wins.
    const written = await tx.update(
      "users",
      { id, email_key, is_platform_admin, active: true, password_hash: link.user.password_hash },
      { password_hash, tokens_not_before: now, updated_at: now },
    );
    if (written === 0) return undefined;
    for (const key of [link.key, newestKey(email_key, context)]) {
      await tx.remove("ephemera", { kind: "password_reset", key });
    }
    return link.user;
  });
  if (user === undefined) return { type: "dead_link" };
  // They are dead already by `tokens_not_before`; now their rows say why.
  await store.endEverythingOf(user.id, "password_changed", now);
  await forgiveAttempts(user.email_key, origin.client_ip, context);
  report({
    type: "password_reset",
    outcome: "success",
    actor: { kind: "user", id: user.id },
    target: { table: "users", id: user.id },
    origin,
  });
  return { type: "done", user };
}

/**
 * The state of the user that a link depends on. Every event that ends the user's tokens changes a moment in
 * it, and so ends the link. Another address and becoming an administrator do it too.
 */
function standing({
  id,
  tokens_not_before,
  reset_links_not_before,
}: Pick<User, "id" | "tokens_not_before" | "reset_links_not_before">): string {
  const moments = [tokens_not_before, reset_links_not_before];
  return JSON.stringify([id, ...moments.map((moment) => moment?.getTime() ?? null)]);
}

async function readLink(
  store: Pick<Verbs, "find">,
  token: string,
  context: IdentityContext,
): Promise<{ user: User; key: Buffer } | undefined> {
  const key = findSignature(credentialPrefix.one_time, token);
  if (key === undefined) return undefined;
  const kept = await store.find("ephemera", { kind: "password_reset", key });
  if (kept === undefined || kept.value === null || hasPassed(kept.expires_at, context.now()))
    return undefined;
  const [id] = JSON.parse(kept.value) as [string, ...unknown[]];
  const user = await store.find("users", { id });
  if (!isActive(user) || user.password_hash === null) return undefined;
  if (standing(user) !== kept.value) return undefined;
  const newest = await store.find("ephemera", {
    kind: "password_reset",
    key: newestKey(user.email_key, context),
  });
  return newest?.value === key.toString("hex") ? { user, key } : undefined;
}

/**
 * The row that says which link of an address is the newest, under a key of ours, so that it does not tell the
 * address.
 */
function newestKey(email_key: string, { sealer }: IdentityContext): Buffer {
  return Buffer.from(sealer.mac("ephemera", JSON.stringify(["password reset", email_key])), "base64url");
}
