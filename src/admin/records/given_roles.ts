import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import type { RecordNoun } from "../../errors/messages.ts";
import { isRole } from "../../records/definition/permissions.ts";
import { isUuid } from "../../records/formats/check.ts";
import { roleNameKey } from "../../records/formats/role_names.ts";
import type { RoleList } from "../../records/names/names.ts";
import type { Verbs } from "../../storage/database/verbs.ts";
import { type Input, isText } from "../access/errors.ts";
import type { Meant } from "../changes/ready_made.ts";

type Reads = Pick<Verbs, "find">;
type Find = (reads: Reads, text: string, organization_id: string) => Promise<string | undefined>;

/**
 * Returns the id of a role, given its id or name. Returns undefined unless members of the organization may
 * have the role.
 */
export const roleMeant: Find = async (reads, text, organization_id) => {
  const found = isUuid(text)
    ? await reads.find("roles", { id: text.toLowerCase() })
    : ((await reads.find("roles", { name_key: roleNameKey(organization_id, text) })) ??
      (await reads.find("roles", { name_key: roleNameKey(null, text) })));
  return found !== undefined && [null, organization_id].includes(found.organization_id)
    ? found.id
    : undefined;
};

/**
 * Returns the id of an app role, given its id or `<identifier of the API>#<name>`. Returns undefined unless
 * members of the organization may have the role.
 */
export const appRoleMeant: Find = async (reads, text, organization_id) => {
  const [identifier = "", ...words] = text.split("#");
  const named = isUuid(text) ? undefined : await reads.find("resources", { identifier });
  const found = isUuid(text)
    ? await reads.find("app_roles", { id: text.toLowerCase() })
    : named && (await reads.find("app_roles", { resource_id: named.id, name: words.join("#") }));
  const api = found && (named ?? (await reads.find("resources", { id: found.resource_id })));
  return api !== undefined && [null, organization_id].includes(api.organization_id) ? found?.id : undefined;
};

const longestQuoted = 100;

const columns: readonly (readonly [RoleList, RecordNoun, Find])[] = [
  ["role_ids", "role", roleMeant],
  ["app_role_ids", "app role", appRoleMeant],
];

/**
 * Returns an error if the new `role` is the name of a custom role, because as `role` it would give no
 * permissions.
 */
export async function membershipRoleErrors(
  { role }: Input,
  had: Input,
  find: (name: string) => Promise<string | undefined>,
): Promise<FieldError[]> {
  if (!isText(role) || isRole(role) || isUuid(role) || role === had.role) return [];
  return (await find(role)) === undefined ? [] : [fieldError("/role", "custom_role")];
}

/**
 * Returns the input with ids instead of names of additional roles, and the errors. Roles that do not exist
 * and roles of another organization get the same error.
 */
export async function rolesMeant(
  reads: Reads,
  input: Input,
  { organization_id, ...had }: Input,
): Promise<Meant> {
  const errors = isUuid(organization_id)
    ? await membershipRoleErrors(input, had, (name) => roleMeant(reads, name, organization_id.toLowerCase()))
    : [];
  const meant: Record<string, unknown> = {};
  for (const [column, record, find] of columns) {
    const values = input[column];
    if (!Array.isArray(values) || !isUuid(organization_id)) continue;
    const before: unknown = had[column];
    meant[column] = await Promise.all(
      values.map(async (value: unknown, index) => {
        if (!isText(value) || (Array.isArray(before) && before.includes(value))) return value;
        const id = await find(reads, value, organization_id.toLowerCase());
        if (id === undefined) {
          const called = { record, field: "name", name: value.slice(0, longestQuoted) };
          errors.push(fieldError(`/${column}/${index}`, "no_record_called", called));
        }
        return id ?? value;
      }),
    );
  }
  return { input: { ...input, ...meant }, errors };
}
