/**
 * The effects on linked accounts and slugs when a link, provider or user is added or removed
 * (docs/decisions/providers.md).
 */
import { setImmediate as giveWay } from "node:timers/promises";
import { upstreamAccountKey } from "../../crypto/upstream_account_key.ts";
import { originOf } from "../../providers/presets/provider_origin.ts";
import type { OAuthAccount, Provider, Session } from "../../records/definition/definition.ts";
import { recordLock } from "../../records/names/lock_names.ts";
import type { AdminContext } from "../access/actor.ts";
import type { Transaction } from "../changes/changes.ts";

/** Links that one commit gives to a provider. */
const adoptedAtOnce = 250;

/** The links that wait for this provider, up to one more than a commit takes. */
async function awaitingLinks(
  tx: Pick<Transaction, "find" | "list">,
  provider: Provider,
): Promise<OAuthAccount[]> {
  const { slug, organization_id } = provider;
  if ((organization_id ?? null) !== null) return [];
  const retired = await tx.find("retired_providers", { slug });
  if (retired !== undefined && retired.endpoint !== originOf(provider)) return [];
  const newest = { order_by: "id", limit: adoptedAtOnce + 1 } as const;
  return tx.list("oauth_accounts", { provider: slug, provider_id: null }, newest);
}

/** Whether more links wait for a provider than one commit should give to it. */
export async function awaitsManyLinks(
  { store }: Pick<AdminContext, "store">,
  provider: Provider,
): Promise<boolean> {
  return (await awaitingLinks(store, provider)).length > adoptedAtOnce;
}

/**
 * Gives a new provider of the server the links that were made for its slug before there was a record: an
 * administrator made them, and makes the record now. Where the slug was another provider's, they stay without
 * a record. As many as one commit takes; returns whether there may be more.
 */
export async function adoptLinks(tx: Transaction, provider: Provider): Promise<boolean> {
  const links = await awaitingLinks(tx, provider);
  const { id: provider_id } = provider;
  for (const { id } of links.slice(0, adoptedAtOnce)) {
    await tx.update("oauth_accounts", { id, provider_id: null }, { provider_id });
  }
  return links.length > adoptedAtOnce;
}

/**
 * Gives a provider that is switched off all links that wait for it, in batches. Until it is switched on no
 * sign-in misses a link that is still without it.
 */
export async function adoptManyLinks(
  { store }: Pick<AdminContext, "store">,
  provider: Provider,
): Promise<void> {
  for (let more = true; more; await giveWay()) {
    more = await store.transaction(async (tx) => {
      await tx.lock(recordLock("providers", provider.id));
      return adoptLinks(tx, provider);
    });
  }
}

/** Ends everything that depends on a link that management removes. */
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

/** Links per commit: each needs several statements for its dependents. */
const linksOfBatch = 50;

/**
 * Removes links of a provider, a number of them or all, with the sessions that depend on them. Links are
 * deleted before their sessions: a sign-in that has just used a link writes its row
 * (`people/core/held_credentials.ts`), so this waits for its session. Returns how many were removed.
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

/** Removes a provider with its links and the sessions that depend on them, and keeps its slug reserved. */
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
