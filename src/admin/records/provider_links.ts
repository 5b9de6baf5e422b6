/** What becomes of linked accounts and slugs when a link, provider or user comes or goes (decision 65). */
import { setImmediate as giveWay } from "node:timers/promises";
import { upstreamAccountKey } from "../../crypto/upstream_account_key.ts";
import { originOf } from "../../providers/provider_origin.ts";
import type { OAuthAccount, Provider, Session } from "../../records/definition/definition.ts";
import { recordLock } from "../../records/names/lock_names.ts";
import type { AdminContext } from "../access/actor.ts";
import type { Transaction } from "../changes/changes.ts";

/**
 * Gives a new provider of the server the links that were made for its slug before there was a record: an
 * administrator made them, and makes the record now. Where the slug was another provider's, they stay without
 * a record.
 */
export async function adoptLinks(tx: Transaction, provider: Provider): Promise<void> {
  const { id, slug, organization_id } = provider;
  if ((organization_id ?? null) !== null) return;
  const retired = await tx.find("retired_providers", { slug });
  if (retired !== undefined && retired.endpoint !== originOf(provider)) return;
  await tx.update("oauth_accounts", { provider: slug, provider_id: null }, { provider_id: id });
}

/** Ends what hangs on a link that management removes. */
export async function endLink(
  tx: Transaction,
  { store }: Pick<AdminContext, "store">,
  link: OAuthAccount,
  at: Date,
  here?: Pick<Session, "id">,
): Promise<void> {
  const account_key = upstreamAccountKey(link.provider, link.provider_user_id);
  await store.endLink(tx, link, { account_key, at, here });
}

/** Keeps that the slug was this provider's. */
export async function retireSlug(
  tx: Pick<Transaction, "insert" | "remove">,
  { store }: Pick<AdminContext, "store">,
  provider: Provider,
  at: Date,
): Promise<void> {
  const { slug, id: provider_id } = provider;
  await tx.remove("retired_providers", { slug });
  const endpoint = originOf(provider);
  await tx.insert("retired_providers", { id: store.newId(at), slug, endpoint, provider_id, created_at: at });
}

/** Links of one commit: what ends with each takes several statements. */
const linksOfBatch = 50;

/**
 * Removes links of a provider with the sessions that rest on them; a number of them, or all. They go before
 * their sessions: a sign-in that has just used a link writes its row (`people/core/held_credentials.ts`), so that
 * this waits for its session. Answers how many were removed.
 */
async function removeLinks(
  tx: Transaction,
  { store }: Pick<AdminContext, "store">,
  provider_id: string,
  at: Date,
  limit?: number,
): Promise<number> {
  const links = await tx.list("oauth_accounts", { provider_id }, limit === undefined ? {} : { limit });
  for (const { id } of links) await tx.remove("oauth_accounts", { id });
  for (const link of links) await store.endLink(tx, link, { at });
  return links.length;
}

/** Removes the links of a provider that is to be deleted and was switched off, in batches. */
export async function removeManyLinks(
  context: Pick<AdminContext, "store">,
  id: string,
  at: Date,
): Promise<void> {
  let removed = linksOfBatch;
  while (removed === linksOfBatch) {
    removed = await context.store.transaction(async (tx) => {
      await tx.lock(recordLock("providers", id));
      return removeLinks(tx, context, id, at, linksOfBatch);
    });
    await giveWay();
  }
}

/** Whether a provider has more links than one commit should remove. */
export async function hasManyLinks(
  { store }: Pick<AdminContext, "store">,
  provider_id: string,
): Promise<boolean> {
  const limit = linksOfBatch + 1;
  return (await store.list("oauth_accounts", { provider_id }, { limit })).length === limit;
}

/** Removes a provider with its links and the sessions that rest on them, and keeps its slug. */
export async function retireProvider(
  tx: Transaction,
  context: Pick<AdminContext, "store">,
  provider: Provider,
  at: Date,
): Promise<void> {
  await removeLinks(tx, context, provider.id, at);
  await retireSlug(tx, context, provider, at);
  await tx.remove("providers", { id: provider.id });
}
