import { detail } from "../../errors/details.ts";
import { fieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { NewRow, Role } from "../../records/definition/definition.ts";
import { roleNameKey } from "../../records/formats/role_names.ts";
import { type Change, type Rules, refuseInvalid } from "./rules.ts";

/**
 * Throws 409 `conflict` if an organization's role has the name of a server role, because tokens contain both.
 */
async function requireOwnName(
  { tx }: Change,
  { organization_id = null, name }: Partial<Role> & Pick<Role, "name">,
): Promise<void> {
  if (organization_id === null) return;
  if ((await tx.find("roles", { name_key: roleNameKey(null, name) })) === undefined) return;
  const fields = ["name"];
  throw new Problem("conflict", detail("record_exists", { record: "role", fields }), [
    fieldError("/name", "taken"),
  ]);
}

/** Throws 422 `invalid_record` for scopes that the API of an app role does not have. */
async function requireScopesOfApi(
  { tx }: Change,
  { resource_id, scopes = [] }: NewRow<"app_roles">,
  had: readonly string[] = [],
): Promise<void> {
  const api = await tx.find("resources", { id: resource_id });
  if (api === undefined) return;
  const isKnown = (scope: string) => had.includes(scope) || Object.hasOwn(api.scopes, scope);
  const errors = scopes.flatMap((scope, index) =>
    isKnown(scope) ? [] : [fieldError(`/scopes/${index}`, "scope_not_of_api")],
  );
  refuseInvalid("app_roles", errors);
}

export const appRoleRules: Rules<"app_roles"> = {
  onNew: (change, record) => requireScopesOfApi(change, record),
  onChange: (change, current, changes) =>
    requireScopesOfApi(change, { ...current, ...changes }, current.scopes),
};

export const roleRules: Rules<"roles"> = {
  onNew: requireOwnName,
  async onChange(change, current, changes) {
    if (changes.name !== undefined) await requireOwnName(change, { ...current, ...changes });
  },
};
