import { upstreamAccountKey } from "../../crypto/upstream_account_key.ts";
import type { OAuthAccount, User } from "../../records/definition.ts";
import type { RequestOrigin } from "../../records/request_origin.ts";
import type { Transaction } from "../../storage/database.ts";
import { auditOwnAct } from "../audit_own_act.ts";
import type { IdentityContext } from "../context.ts";

/**
 * Removes the linked accounts of a user whose address nobody had proved, and answers them; those of any other
 * user stay. Somebody who knew the first password may have linked an account of their own
 * (docs/decisions/0075). To be called in the transaction that proves the mailbox, under the user's lock.
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

/** Removes a link that its user did not want, with the sessions that rest on it. */
export async function removeLink(
  tx: Transaction,
  link: OAuthAccount,
  { origin, at }: { readonly origin: RequestOrigin; readonly at: Date },
  context: IdentityContext,
): Promise<void> {
  const { id, user_id, provider, provider_user_id } = link;
  await tx.remove("oauth_accounts", { id });
  await context.store.markUnlinked(tx, upstreamAccountKey(provider, provider_user_id), at);
  await context.store.keepForRevocation(tx, link, at);
  await context.store.endOpenedSessions(tx, id, user_id, at);
  const details = { before: { user_id, provider } };
  const event = { type: "linked_account.deleted", target_table: "oauth_accounts", target_id: id, details };
  await auditOwnAct(tx, context, { user: { id: user_id }, origin, at }, event);
}
