import { upstreamAccountKey } from "../../crypto/upstream_account_key.ts";
import type { OAuthAccount, Session, User } from "../../records/definition/definition.ts";
import type { RequestOrigin } from "../../records/definition/request_origin.ts";
import type { Transaction } from "../../storage/database/database.ts";
import { auditOwnAct } from "../core/audit_own_act.ts";
import type { IdentityContext } from "../core/context/context.ts";

/**
 * Removes linked accounts of a user whose email address was not verified before. A person who knew the first
 * password may have linked them (docs/decisions/providers.md). Call this in the transaction that proves the
 * mailbox, under the user's lock.
 */
export async function removeUnprovedLinks(
  tx: Transaction,
  user: User,
  { origin, at }: { readonly origin: RequestOrigin; readonly at: Date },
  context: IdentityContext,
): Promise<readonly OAuthAccount[]> {
  if (user.email_verified_at !== null) return [];
  const links = await tx.list("oauth_accounts", { user_id: user.id });
  for (const link of links) await removeLink(tx, link, { origin, at }, context);
  return links;
}

/** Removes a link and ends the sessions that depend on it. */
export async function removeLink(
  tx: Transaction,
  link: OAuthAccount,
  by: { readonly origin: RequestOrigin; readonly at: Date; readonly here?: Pick<Session, "id"> },
  context: IdentityContext,
): Promise<"goes_on" | "ended"> {
  const { id, user_id, provider, provider_user_id } = link;
  const { origin, at, here } = by;
  await tx.remove("oauth_accounts", { id });
  const account_key = upstreamAccountKey(provider, provider_user_id);
  const left = await context.store.endLink(tx, link, { account_key, at, here });
  const details = { before: { user_id, provider } };
  const event = { type: "linked_account.deleted", target_table: "oauth_accounts", target_id: id, details };
  await auditOwnAct(tx, context, { user: { id: user_id }, origin, at }, event);
  return left;
}
