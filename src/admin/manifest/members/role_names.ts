/** Resolves names of roles in a manifest: a plain name for a role, `<API>#<name>` for an app role (OC-6). */
import type { TableName } from "../../../records/definition/definition.ts";
import { isUuid } from "../../../records/formats/check.ts";
import { roleNameKey } from "../../../records/formats/role_names.ts";
import type { RoleList } from "../../../records/names/names.ts";
import type { Verbs } from "../../../storage/database/verbs.ts";
import type { Values } from "../../manage/planned_record.ts";
import { appRoleMeant, roleMeant } from "../../records/given_roles.ts";

const lists: { readonly [T in TableName]?: RoleList } = { roles: "role_ids", app_roles: "app_role_ids" };

export const isNamedWithin = (table: TableName): boolean => lists[table] !== undefined;

/** Returns a role's name in a manifest; `api` is the identifier of the API of an app role. */
export function roleName(table: TableName, { name }: Values, api: unknown): string {
  return table === "app_roles" ? `${api}#${name}` : String(name);
}

/**
 * Collects the roles of a file, each with its organization; null for a role that members of every
 * organization may have.
 */
export function rolesInFile(apiOf: (identifier: string) => string | undefined) {
  const ids = new Map<string, string>();
  const keyOf = (table: TableName, owner: unknown, text: string) =>
    `${table} ${table === "roles" ? roleNameKey(owner as string | null, text) : `${owner} ${text}`}`;

  return {
    add(table: TableName, { id, name, resource_id }: Values, owner: unknown): void {
      const called = table === "roles" ? String(name) : `${resource_id}#${name}`;
      for (const text of [called, String(id)]) ids.set(keyOf(table, owner ?? null, text), String(id));
    },

    /** Finds only roles that members of the organization may have. */
    meant(table: TableName, text: string, organization_id: unknown): string | undefined {
      if (!isUuid(organization_id)) return undefined;
      let called = isUuid(text) ? text.toLowerCase() : text;
      if (table === "app_roles" && called.includes("#")) {
        const [api = "", ...words] = text.split("#");
        called = [apiOf(api), ...words].join("#");
      }
      return ids.get(keyOf(table, organization_id, called)) ?? ids.get(keyOf(table, null, called));
    },
  };
}

/** Like `meant` of `rolesInFile`, for stored roles. */
export async function storedRole(
  table: TableName,
  text: string,
  organization_id: unknown,
  reads: Pick<Verbs, "find">,
): Promise<string | undefined> {
  if (!isUuid(organization_id)) return undefined;
  return (table === "app_roles" ? appRoleMeant : roleMeant)(reads, text, organization_id);
}
