import type { OAuthAccount, User } from "../../records/definition.ts";
import type { RequestOrigin } from "../../records/request_origin.ts";
import { type SecondKind, secondKinds } from "../../records/sign_in_methods.ts";
import type { Transaction } from "../../storage/database.ts";
import { auditOwnAct } from "../audit_own_act.ts";
import type { IdentityContext } from "../context.ts";
import { dropPasskey } from "../passkeys/change_passkey.ts";
import { removeLink, removeUnprovedLinks } from "../providers/unproved_links.ts";
import { dropAuthenticatorApp } from "../second_factors/authenticator_apps.ts";

/** When and from where ways into an account are removed. */
export interface Removal {
  readonly origin: RequestOrigin;
  readonly at: Date;
  /** What is older stays. */
  readonly since: Date;
}

type IsYoung = (row: { readonly created_at: Date }) => boolean;

/** How the young second factors of each kind go. */
const removeFactors: Readonly<
  Record<
    SecondKind,
    (
      tx: Transaction,
      user: Pick<User, "id">,
      which: { readonly isYoung: IsYoung; readonly origin: RequestOrigin },
      context: IdentityContext,
    ) => Promise<void>
  >
> = {
  async passkey(tx, { id: user_id }, { isYoung, origin }, context) {
    for (const passkey of (await tx.list("passkeys", { user_id })).filter(isYoung)) {
      await dropPasskey(tx, passkey, origin, context);
    }
  },
  async totp(tx, { id: user_id }, { isYoung, origin }, context) {
    for (const app of (await tx.list("totp_authenticators", { user_id })).filter(isYoung)) {
      await dropAuthenticatorApp(tx, app, origin, context);
    }
  },
  async recovery_code(tx, { id: user_id }, { isYoung }) {
    for (const { id } of (await tx.list("recovery_codes", { user_id })).filter(isYoung)) {
      await tx.remove("recovery_codes", { id });
    }
  },
};

/**
 * Removes the ways in that an account got since a moment, in a transaction that holds the lock of its user:
 * passkeys, authenticator apps, recovery codes, linked accounts and API keys. Answers the links.
 */
export async function removeWaysSince(
  tx: Transaction,
  user: Pick<User, "id">,
  { origin, at, since }: Removal,
  context: IdentityContext,
): Promise<readonly OAuthAccount[]> {
  const isYoung: IsYoung = ({ created_at }) => created_at >= since;
  for (const kind of secondKinds) await removeFactors[kind](tx, user, { isYoung, origin }, context);
  const links = (await tx.list("oauth_accounts", { user_id: user.id })).filter(isYoung);
  for (const link of links) await removeLink(tx, link, { origin, at }, context);
  await revokeKeysSince(tx, user, { origin, at, since }, context);
  return links;
}

/**
 * Removes what lets somebody in without the password from an account whose address nobody had proved: linked
 * accounts, passkeys that sign in, and API keys; nothing of another account. Who knew the first password may
 * have made them (docs/decisions/0075). Second factors stay, since a mailed link passes none (MF-9). Answers
 * the links and the names of the passkeys.
 */
export async function removeUnprovedWays(
  tx: Transaction,
  user: User,
  { origin, at }: Omit<Removal, "since">,
  context: IdentityContext,
): Promise<{ readonly links: readonly OAuthAccount[]; readonly passkeys: readonly string[] }> {
  if (user.email_verified_at !== null) return { links: [], passkeys: [] };
  const links = await removeUnprovedLinks(tx, user, { origin, at }, context);
  const passkeys = (await tx.list("passkeys", { user_id: user.id })).filter(({ signs_in }) => signs_in);
  for (const passkey of passkeys) await dropPasskey(tx, passkey, origin, context);
  await revokeKeysSince(tx, user, { origin, at, since: new Date(0) }, context);
  return { links, passkeys: passkeys.map(({ name }) => name) };
}

/** Revokes the API keys of a user that were made since a moment. */
async function revokeKeysSince(
  tx: Transaction,
  user: Pick<User, "id">,
  { origin, at, since }: Removal,
  context: IdentityContext,
): Promise<void> {
  for (const { id, created_at } of await tx.list("api_keys", { user_id: user.id, revoked: false })) {
    if (created_at < since) continue;
    await tx.update("api_keys", { id }, { revoked: true });
    const event = {
      type: "api_key.revoked",
      target_table: "api_keys",
      target_id: id,
      details: null,
    } as const;
    await auditOwnAct(tx, context, { user, origin, at }, event);
  }
}
