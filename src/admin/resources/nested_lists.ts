import { fieldsOf } from "../../records/definition/definition.ts";
import { type ResourceType, singularOf } from "../../records/definition/permissions.ts";
import { type Filter, type Resource, resources } from "./resources.ts";

export interface NestedList {
  readonly listed: Resource;
  readonly by: Filter;
  readonly name: string;
}

const called: { readonly [Parent in ResourceType]?: { readonly [Child in ResourceType]?: string } } = {
  organizations: { memberships: "members" },
};

/** Returns the lists below the API path of a record of this type, such as the secrets of an app. */
export function nestedListsOf({ table, path, resourceType }: Resource): NestedList[] {
  const prefix = `${singularOf(path)}-`;
  return resources.flatMap((listed) =>
    listed.filters
      .filter(({ kind, to }) => kind === "id" && fieldsOf(listed.table)[to]?.references?.table === table)
      .map((by) => {
        const own = listed.path.startsWith(prefix) ? listed.path.slice(prefix.length) : listed.path;
        return { listed, by, name: called[resourceType]?.[listed.resourceType] ?? own };
      }),
  );
}
