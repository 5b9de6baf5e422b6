import { isDeepStrictEqual } from "node:util";
import { detail } from "../../errors/details.ts";
import { Problem } from "../../errors.ts";
import { fieldsOf, type Row } from "../../records/definition/definition.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import { type AdminContext, permissionsOfActor } from "../access/actor.ts";
import type { Input } from "../access/errors.ts";
import type { Expected } from "../changes/changes.ts";
import { viewFor } from "../changes/record_view.ts";
import { updateRecord } from "./manage.ts";
import type { Resource } from "./resource.ts";

class Moved extends Error {}

/** Each attempt fails only if another request changes the record at the same time. */
const mostAttempts = 20;

/** Merges a patch into a value (RFC 7396, section 2). */
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
 * Changes a record by a merge patch that also merges nested objects, such as an app's `metadata`. Throws 409
 * `conflict` if other requests keep changing the same fields.
 */
export async function patchRecord(
  caller: AdminContext,
  resource: Resource,
  id: string,
  patch: Input,
  expected?: Expected,
): Promise<PublicView> {
  const fields = fieldsOf(resource.table);
  const names = Object.keys(patch).filter(
    (name) => Object.hasOwn(fields, name) && fields[name]?.shape === "object" && isObject(patch[name]),
  );
  const actorPermissions = await permissionsOfActor(caller);
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const seen: Input | undefined =
      names.length === 0 ? undefined : await caller.store.find(resource.table, { id: id.toLowerCase() });
    // `updateRecord` throws the right error for a record that does not exist or that the actor cannot see.
    if (seen === undefined) return updateRecord(caller, resource, id, patch, expected);
    // Attributes that the caller cannot see are left out; `withUnseenAttributes` keeps their values.
    const { attributes } = viewFor(actorPermissions, resource.table, seen as Row<Resource["table"]>);
    const base: Input = { ...seen, attributes };
    const merged = names.map((name) => [name, mergePatch(base[name], patch[name])] as const);
    const asSeen: Expected = (current) => {
      expected?.(current);
      const now: Input = current;
      if (names.some((name) => !isDeepStrictEqual(now[name], seen[name]))) throw new Moved();
    };
    try {
      return await updateRecord(caller, resource, id, { ...patch, ...Object.fromEntries(merged) }, asSeen);
    } catch (error) {
      if (!(error instanceof Moved)) throw error;
    }
  }
  throw new Problem("conflict", detail("changed_without_end"));
}
