/** JSON merge patch (RFC 7396) down into the members that are objects, such as an app's `metadata`. */
import { isDeepStrictEqual } from "node:util";
import type { AdminContext } from "../../admin/access/actor.ts";
import { updateRecord } from "../../admin/manage.ts";
import type { Expected, Resource } from "../../admin/resources/resources.ts";
import { detail } from "../../errors/details.ts";
import { Problem } from "../../errors.ts";
import { fieldsOf } from "../../records/definition.ts";
import { isObject } from "../../records/json_shapes.ts";
import type { PublicView } from "../../records/view.ts";
import type { JsonInput } from "./json.ts";

/** The record changed between our reading it and our changing it. */
class Moved extends Error {}

/** Somebody wins each time, so that more than this means a crowd. */
const mostAttempts = 20;

/** RFC 7396 2. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

/**
 * Changes a record by a merge patch; what is merged with is the record as it stands when it is written.
 * Throws what `updateRecord` throws, and 409 `conflict` when others change the same members all the while.
 */
export async function patchRecord(
  caller: AdminContext,
  resource: Resource,
  id: string,
  patch: JsonInput,
  expected?: Expected,
): Promise<PublicView> {
  const fields = fieldsOf(resource.table);
  const nested = Object.keys(patch).filter(
    (name) => Object.hasOwn(fields, name) && fields[name]?.shape === "object" && isObject(patch[name]),
  );
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const seen: JsonInput | undefined =
      nested.length === 0 ? undefined : await caller.store.find(resource.table, { id: id.toLowerCase() });
    if (seen === undefined) return updateRecord(caller, resource, id, patch, expected);
    const merged = nested.map((name) => [name, mergePatch(seen[name], patch[name])] as const);
    const asSeen: Expected = (row) => {
      expected?.(row);
      const standing: JsonInput = row;
      if (nested.some((name) => !isDeepStrictEqual(standing[name], seen[name]))) throw new Moved();
    };
    try {
      return await updateRecord(caller, resource, id, { ...patch, ...Object.fromEntries(merged) }, asSeen);
    } catch (error) {
      if (!(error instanceof Moved)) throw error;
    }
  }
  throw new Problem("conflict", detail("changed_without_end"));
}
