import { isUuid } from "../../records/formats/check.ts";
import { isOpenClient } from "../../records/rules/client_record.ts";
import type { ListedOpenClient } from "../../storage/clients/open_clients.ts";
import { requirePlatform } from "../access/access.ts";
import type { AdminContext } from "../access/actor.ts";
import { deleteApp } from "../records/apps.ts";

/** One form can name all clients of a page, because a form may have 100 parameters. */
const openClientsShown = 50;

const mostRemoved = 500;

interface ShownOpenClients {
  readonly clients: readonly ListedOpenClient[];
  readonly count: number;
  /** The id after which the next page starts; undefined on the last page. */
  readonly next: string | undefined;
}

/**
 * Returns a page of open clients, which no administrator registered, newest first. Throws 403 `forbidden`
 * unless the actor administers the platform.
 */
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

/** Returns the open clients with these ids. Throws 403 `forbidden`. */
export async function findOpenClients(context: AdminContext, ids: readonly string[]) {
  await requirePlatform(context);
  const found = await Promise.all(
    [...new Set(ids)].filter(isUuid).map((id) => context.store.find("oauth_apps", { id })),
  );
  return found.flatMap((app) => (app !== undefined && isOpenClient(app) ? [app] : []));
}

/**
 * Deletes the `chosen` open clients, or with `never_used` those that were never used. Deletes at most 500,
 * each with an audit event. Returns how many were deleted. Throws 403 `forbidden`.
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
