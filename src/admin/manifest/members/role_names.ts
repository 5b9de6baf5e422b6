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

/**
 * Returns the key under which `roleInFile` finds a role defined in the file; undefined for records that are
 * not roles.
 */
export function roleKey(
  table: TableName,
  { organization_id, resource_id, name }: Values,
): string | undefined {
  if (table === "roles")
    return `role ${roleNameKey((organization_id ?? null) as string | null, String(name))}`;
  return table === "app_roles" ? `app role ${resource_id} ${name}` : undefined;
}

/** Returns a role's name in a manifest; `api` is the identifier of the API of an app role. */
export function roleName(table: TableName, { name }: Values, api: unknown): string {
  return table === "app_roles" ? `${api}#${name}` : String(name);
}

interface InFile {
  byKey(key: string): string | undefined;
  byIdentifier(identifier: string): string | undefined;
}

/**
 * Returns the id of a role in the file, given its id or name. Finds only roles that members of the organization
 * may have.
 */
export function roleInFile(
  table: TableName,
  text: string,
  organization_id: unknown,
  { byKey, byIdentifier }: InFile,
): string | undefined {
  if (!isUuid(organization_id)) return undefined;
  if (table === "app_roles") {
    const [identifier = "", ...words] = text.split("#");
    const resource_id = byIdentifier(identifier);
    return byKey(roleKey(table, { resource_id, name: words.join("#") }) ?? "") ?? byKey(text);
  }
  const own = byKey(roleKey(table, { organization_id, name: text }) ?? "");
  const shared = byKey(roleKey(table, { name: text }) ?? "");
  return own ?? shared ?? byKey(text);
}

/** Like `roleInFile`, for stored roles. */
export async function storedRole(
  table: TableName,
  text: string,
  organization_id: unknown,
  reads: Pick<Verbs, "find">,
): Promise<string | undefined> {
  if (!isUuid(organization_id)) return undefined;
  return (table === "app_roles" ? appRoleMeant : roleMeant)(reads, text, organization_id);
}
