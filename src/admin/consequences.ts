/** What would end with a record, for whoever is asked whether they are sure. */
import type { Touched } from "../storage/touched.ts";
import { demand } from "./access.ts";
import type { AdminContext } from "./actor.ts";
import type { Resource } from "./resource.ts";

/** No figure is counted further. */
export const consequenceLimit = 10_000;

/**
 * How much ends along with this record when the actor deletes, revokes or switches it off; each figure is at most
 * `consequenceLimit`. Throws 403 `forbidden`, 404 `not_found`, as doing it would.
 */
export async function consequencesOf(
  context: AdminContext,
  resource: Resource,
  id: string,
): Promise<Touched> {
  await demand(context, `${resource.family}:write`, resource.table, id);
  return context.store.touchedBy(resource.table, id.toLowerCase(), context.now(), consequenceLimit);
}
