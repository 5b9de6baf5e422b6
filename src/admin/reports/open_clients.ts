import { isUuid } from "../../records/formats/check.ts";
import { isOpenClient } from "../../records/rules/client_record.ts";
import type { ListedOpenClient } from "../../storage/clients/open_clients.ts";
import { requirePlatform } from "../access/access.ts";
import type { AdminContext } from "../access/actor.ts";
import { deleteApp } from "../records/apps.ts";

/** A form has at most 100 parameters, one of them for each client that the administrator selects. */
const openClientsShown = 50;

const mostRemoved = 500;

interface ShownOpenClients {
  readonly clients: readonly ListedOpenClient[];
  readonly count: number;
  /** The id to pass as `before` for the next page; undefined on the last page. */
  readonly next: string | undefined;
}

/** Returns a page of clients that registered themselves, newest first. */
export async function showOpenClients(context: AdminContext, before?: string): Promise<ShownOpenClients> {
  await requirePlatform(context);
  const { store } = context;
  const [rows, count] = await Promise.all([
    store.listOpenClients(openClientsShown + 1, isUuid(before) ? before : undefined),
    store.countOpenClients(),
  ]);
  const clients = rows.slice(0, openClientsShown);
  return { clients, count, next: rows.length > openClientsShown ? clients.at(-1)?.id : undefined };
}

/** Returns the clients that registered themselves among the apps with these ids. */
export async function findOpenClients(context: AdminContext, ids: readonly string[]) {
  await requirePlatform(context);
  const found = await Promise.all(
    [...new Set(ids)].filter(isUuid).map((id) => context.store.find("oauth_apps", { id })),
  );
  return found.flatMap((app) => (app !== undefined && isOpenClient(app) ? [app] : []));
}

/**
 * Deletes clients that registered themselves: those with the `chosen` ids, or those that were never used.
 * Deletes at most 500 clients and returns how many it deleted.
 */
export async function removeOpenClients(
  context: AdminContext,
  chosen: readonly string[] | "never_used",
): Promise<number> {
  await requirePlatform(context);
  const ids = chosen === "never_used" ? await context.store.neverUsedClients(mostRemoved) : chosen;
  const clients = await findOpenClients(context, ids.slice(0, mostRemoved));
  for (const { id } of clients) await deleteApp(context, id);
  return clients.length;
}
