import { detail } from "../../errors/details.ts";
import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { AppRole, Membership, NewRow, Role } from "../../records/definition/definition.ts";
import { isRole } from "../../records/definition/permissions.ts";
import { comparableRole } from "../../records/formats/role_names.ts";
import { isMistakable, skeletonOf } from "../../records/names/look_alikes.ts";
import { roleNamesLock } from "../access/used_names.ts";
import { type Change, type GuardedTransaction, type Rules, refuseInvalid } from "./rules.ts";

function taken(record: "role" | "app role"): Problem {
  const fields = ["name"];
  return new Problem("conflict", detail("record_exists", { record, fields }), [fieldError("/name", "taken")]);
}

const skeletonsOf = (roles: readonly Pick<Role, "name">[]) =>
  new Set(roles.map(({ name }) => skeletonOf(name)));

/**
 * Tokens can contain roles of the organization and of the server, so their names must not be confusable.
 * Throws 409 `conflict`.
 */
async function requireOwnName(
  { tx }: Change,
  { organization_id = null, name }: Partial<Role> & Pick<Role, "name">,
): Promise<void> {
  if (organization_id !== null) {
    if (isMistakable(name, skeletonsOf(await tx.list("roles", { organization_id: null }))))
      throw taken("role");
    return;
  }
  const known = skeletonsOf([{ name }]);
  const all = await tx.list("roles");
  const alike = all.find((role) => role.organization_id !== null && isMistakable(role.name, known));
  if (alike === undefined) return;
  const organization = await tx.find("organizations", { id: String(alike.organization_id) });
  const names = { role: alike.name, organization: organization?.slug ?? "" };
  throw new Problem("conflict", detail("role_of_organization", names), [fieldError("/name", "taken")]);
}

/**
 * Returns an error if a membership's `role` is not built in and resembles a custom role of the organization
 * or the server.
 */
export async function customRoleErrors(
  tx: Pick<GuardedTransaction, "list" | "lock">,
  { organization_id, role }: Pick<Membership, "organization_id" | "role">,
): Promise<FieldError[]> {
  if (isRole(role)) return [];
  await tx.lock({ shared: roleNamesLock() });
  const ofServer = await tx.list("roles", { organization_id: null });
  const own = await tx.list("roles", { organization_id });
  return isMistakable(role, skeletonsOf([...ofServer, ...own])) ? [fieldError("/role", "custom_role")] : [];
}

async function requireOwnNameAtApi(
  { tx }: Change,
  { id, resource_id, name }: Partial<AppRole> & Pick<AppRole, "resource_id" | "name">,
): Promise<void> {
  const all = await tx.list("app_roles", { resource_id });
  const isSame = (other: AppRole) => other.id !== id && comparableRole(other.name) === comparableRole(name);
  if (all.some(isSame)) throw taken("app role");
}

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
  async onNew(change, record) {
    await requireScopesOfApi(change, record);
    await requireOwnNameAtApi(change, record);
  },
  async onChange(change, current, changes) {
    const after = { ...current, ...changes };
    await requireScopesOfApi(change, after, current.scopes);
    if (changes.name !== undefined) await requireOwnNameAtApi(change, after);
  },
};

export const roleRules: Rules<"roles"> = {
  onNew: requireOwnName,
  async onChange(change, current, changes) {
    if (changes.name !== undefined) await requireOwnName(change, { ...current, ...changes });
  },
};
