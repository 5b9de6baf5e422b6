import { Problem } from "../../errors.ts";
import type { Row } from "../../records/definition/definition.ts";
import { type ResourceType, tableOfResourceType } from "../../records/definition/permissions.ts";
import { visibility } from "./access.ts";
import type { AdminContext } from "./actor.ts";

/** Returns the records with these ids that the actor may read, in no particular order. */
export async function seenRows<R extends ResourceType>(
  context: Pick<AdminContext, "actor" | "store">,
  resourceType: R,
  ids: readonly string[],
): Promise<Row<(typeof tableOfResourceType)[R]>[]> {
  if (ids.length === 0) return [];
  try {
    const visible = await visibility(context, resourceType);
    return await context.store.rowsSeen(tableOfResourceType[resourceType], ids, visible);
  } catch (error) {
    if (error instanceof Problem && error.status === 403) return [];
    throw error;
  }
}
