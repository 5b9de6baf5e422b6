import { setImmediate as giveWay } from "node:timers/promises";
import { upstreamAccountKey } from "../../crypto/upstream_account_key.ts";
import { originOf } from "../../providers/presets/provider_origin.ts";
import type { OAuthAccount, Provider, Session } from "../../records/definition/definition.ts";
import { recordLock } from "../../records/names/lock_names.ts";
import type { AdminContext } from "../access/actor.ts";
import type { Transaction } from "../changes/changes.ts";

const adoptedAtOnce = 250;

/**
 * Returns at most one linked account more than a transaction assigns, so callers can see whether there are
 * more.
 */
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

/** Returns whether one transaction cannot assign all linked accounts that wait for this provider. */
export async function awaitsManyLinks(
  { store }: Pick<AdminContext, "store">,
  provider: Provider,
): Promise<boolean> {
  return (await awaitingLinks(store, provider)).length > adoptedAtOnce;
}

/**
 * Assigns to a new provider of the server the linked accounts that administrators created for its slug in
 * advance. Handles at most `adoptedAtOnce` of them, and returns whether there are more. Assigns none if the
 * slug belonged to a different provider before.
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
 * Assigns all waiting linked accounts to a deactivated provider, in batches. Users cannot sign in through it
 * meanwhile, so each linked account is assigned before it is used.
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

/**
 * Ends what depends on a deleted linked account: sessions, and the attribute values and tokens that came from
 * the provider. The session `here` continues if its other sign-in methods suffice.
 */
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

/**
 * Runs after a manifest wrote a provider. A new provider gets the linked accounts that wait for its slug. The
 * old slug of a renamed provider stays reserved (EP-2).
 */
export async function keepLinks(
  tx: Transaction,
  { before, after }: { readonly before: Provider | undefined; readonly after: Provider },
  at: Date,
  context: Pick<AdminContext, "store">,
): Promise<void> {
  if (before === undefined) {
    let more = true;
    while (more) more = await adoptLinks(tx, after);
  } else if (before.slug !== after.slug) await retireSlug(tx, context, before, at);
}

/** Small, because deleting each linked account and ending its sessions takes several statements. */
const linksOfBatch = 50;

/**
 * A concurrent sign-in locks the row of its linked account until its session is stored. The rows are
 * therefore deleted first, so that the sessions that are ended afterwards include the new one.
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
  // Sorted by user, so that concurrent deletions lock users in the same order and cannot deadlock.
  const ordered = links.toSorted((one, other) => (one.user_id < other.user_id ? -1 : 1));
  for (const link of ordered) await store.endLink(tx, link, { at });
  return links.length;
}

/**
 * Deletes all linked accounts of a deactivated provider in batches, before the provider itself is deleted.
 */
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

export async function hasManyLinks(
  { store }: Pick<AdminContext, "store">,
  provider_id: string,
): Promise<boolean> {
  const limit = linksOfBatch + 1;
  return (await store.list("oauth_accounts", { provider_id }, { limit })).length === limit;
}

/** Deletes a provider with its linked accounts and their sessions. The provider's slug stays reserved. */
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
