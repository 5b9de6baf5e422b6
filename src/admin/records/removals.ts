/**
 * Deletes dependent rows of a record in the transaction that deletes the record. Foreign keys delete the
 * remaining ones.
 */
import { detail } from "../../errors/details.ts";
import { Problem } from "../../errors.ts";
import type { ApiResource, OAuthApp } from "../../records/definition/definition.ts";
import { appLock, recordLock } from "../../records/names/lock_names.ts";
import type { Where } from "../../storage/database/verbs.ts";
import type { AdminContext } from "../access/actor.ts";
import type { Transaction } from "../changes/changes.ts";
import { endLink, hasManyLinks, removeManyLinks, retireProvider } from "./provider_links.ts";

/**
 * Deletes apps with their secrets, codes, consents and tokens. Locks the apps first: a concurrent request
 * that has locked a code and waits for the app would cause a deadlock.
 */
export async function removeApps(tx: Transaction, where: Where<"oauth_apps">): Promise<void> {
  await lockApps(tx, where);
  await tx.remove("oauth_apps", where);
}

async function lockApps(tx: Transaction, where: Where<"oauth_apps">): Promise<void> {
  const apps = await tx.list("oauth_apps", where);
  await tx.lock(...apps.map(({ id }) => appLock(id)));
}

/**
 * Locks the rows of the apps by an update without effect. All deletions lock rows in the order apps, linked
 * accounts, sessions, tokens, so that they cannot deadlock.
 */
async function holdApps(
  tx: Transaction,
  where: Pick<OAuthApp, "organization_id"> | Pick<OAuthApp, "owner_id">,
): Promise<void> {
  await lockApps(tx, where);
  await tx.update("oauth_apps", where, where);
}

/**
 * Removes APIs from the `resources` of all apps. A later API could get the same identifier, and the apps
 * would have access to it.
 */
export async function unlistResources(
  tx: Transaction,
  { store }: Pick<AdminContext, "store">,
  apis: readonly Pick<ApiResource, "identifier">[],
): Promise<void> {
  const gone = new Set(apis.map(({ identifier }) => identifier));
  for (const { id, resources } of await store.appsListing([...gone], tx.connection)) {
    await tx.update("oauth_apps", { id }, { resources: resources.filter((each) => !gone.has(each)) });
  }
}

async function retireProvidersOf(
  tx: Transaction,
  context: Pick<AdminContext, "store">,
  organization_id: string,
  at: Date,
): Promise<void> {
  for (const provider of await tx.list("providers", { organization_id })) {
    await retireProvider(tx, context, provider, at);
  }
}

/**
 * Returns the functions with which `deleteRecord` deletes the linked accounts of an organization's providers
 * in batches.
 */
export function linksOfProvidersOf(context: Pick<AdminContext, "store" | "now">, organization_id: string) {
  const providers = () => context.store.list("providers", { organization_id });
  return {
    async isMany(): Promise<boolean> {
      for (const { id } of await providers()) if (await hasManyLinks(context, id)) return true;
      return false;
    },
    async remove(): Promise<void> {
      for (const { id } of await providers()) await removeManyLinks(context, id, context.now());
    },
  };
}

/**
 * Deletes an organization and the records that belong to it, such as apps, service accounts and providers,
 * with their tokens.
 */
export async function removeOrganization(
  tx: Transaction,
  context: Pick<AdminContext, "store">,
  id: string,
  at: Date,
): Promise<void> {
  const providers = await tx.list("providers", { organization_id: id });
  // Creating a linked account requires the lock of its provider, so these locks prevent new ones.
  await tx.lock(...providers.map((provider) => recordLock("providers", provider.id)));
  await holdApps(tx, { organization_id: id });
  await unlistResources(
    tx,
    context,
    await tx.listColumns("resources", ["identifier"], { organization_id: id }),
  );
  await retireProvidersOf(tx, context, id, at);
  await removeApps(tx, { organization_id: id });
  await tx.remove("organizations", { id });
}

/**
 * Returns the user's apps in organizations, whether the user created service accounts, and the id of the
 * successor who gets both. Without such apps and accounts, the id is the user's own. Throws 409
 * `successor_required` if there are any but `successor_id` is not the id of another user.
 */
export async function requireSuccessor(
  tx: Pick<Transaction, "list" | "find">,
  id: string,
  successor_id: string | undefined,
) {
  const made = await tx.list("oauth_apps", { owner_id: id });
  const apps = made.filter(({ organization_id }) => organization_id !== null);
  const accounts = await tx.list("service_accounts", { created_by: id });
  if (apps.length + accounts.length === 0) return { successor: id, apps, has_accounts: false };
  const successor =
    successor_id === undefined || successor_id === id
      ? undefined
      : await tx.find("users", { id: successor_id });
  if (successor === undefined) {
    throw new Problem(
      "successor_required",
      detail("successor_required", { apps: apps.length, service_accounts: accounts.length }),
    );
  }
  return { successor: successor.id, apps, has_accounts: accounts.length > 0 };
}

/**
 * Deletes a user. Apps and service accounts in organizations go to the successor. Throws the error of
 * `requireSuccessor`. Call it in a transaction that holds the user's lock.
 */
export async function removeUser(
  tx: Transaction,
  context: Pick<AdminContext, "store">,
  id: string,
  at: Date,
  successor_id: string | undefined,
): Promise<void> {
  const { successor, apps, has_accounts } = await requireSuccessor(tx, id, successor_id);
  const changes = { updated_at: at };
  for (const app of apps) await tx.update("oauth_apps", { id: app.id }, { owner_id: successor, ...changes });
  if (has_accounts)
    await tx.update("service_accounts", { created_by: id }, { created_by: successor, ...changes });
  await holdApps(tx, { owner_id: id });
  for (const link of await tx.change("oauth_accounts", { user_id: id }, { user_id: id })) {
    await endLink(tx, context, link, at);
  }
  await removeApps(tx, { owner_id: id });
  await context.store.notifyOfEnds(tx, id, at);
  await tx.remove("users", { id });
  await tx.remove("manifest_names", { table_name: "users", record_id: id });
}
