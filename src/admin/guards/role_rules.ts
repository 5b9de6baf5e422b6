import { detail } from "../../errors/details.ts";
import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { Membership, NewRow, Role } from "../../records/definition/definition.ts";
import { isRole } from "../../records/definition/permissions.ts";
import { roleNameKey } from "../../records/formats/role_names.ts";
import { isMistakable, readingsOf, skeletonOf } from "../../records/names/look_alikes.ts";
import { roleNamesLock } from "../access/used_names.ts";
import { type Change, type GuardedTransaction, type Rules, refuseInvalid, requireRoom } from "./rules.ts";

type Named = Pick<Role, "name">;

const skeletonsOf = (roles: readonly Named[]) => new Set(roles.map(({ name }) => skeletonOf(name)));

const readingsOfOrganizations = (roles: readonly Role[]) =>
  new Map(
    roles
      .filter(({ organization_id }) => organization_id !== null)
      .flatMap((role) => readingsOf(role.name).map((reading) => [reading, role])),
  );

const nameTaken = (record: "role" | "app role"): Problem =>
  new Problem("conflict", detail("record_exists", { record, fields: ["name"] }), [
    fieldError("/name", "taken"),
  ]);

const computed: Required<GuardedTransaction>["once"] = (rows, make) => make(rows);

/** Tokens can contain roles of the organization and of the server, so their names must not be confusable. */
async function requireOwnName(
  { tx }: Change,
  { organization_id = null, name }: Partial<Role> & Named,
): Promise<void> {
  const { once = computed } = tx;
  if (organization_id !== null) {
    const ofServer = await tx.list("roles", { organization_id: null });
    if (!isMistakable(name, once(ofServer, skeletonsOf))) return;
    throw nameTaken("role");
  }
  const alike = once(await tx.list("roles"), readingsOfOrganizations).get(skeletonOf(name));
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
  { list, lock, once = computed }: Pick<GuardedTransaction, "list" | "lock" | "once">,
  { organization_id, role }: Pick<Membership, "organization_id" | "role">,
): Promise<FieldError[]> {
  if (isRole(role)) return [];
  await lock({ shared: roleNamesLock() });
  const ofServer = await list("roles", { organization_id: null });
  const own = await list("roles", { organization_id });
  const isAlike = [ofServer, own].some((roles) => isMistakable(role, once(roles, skeletonsOf)));
  return isAlike ? [fieldError("/role", "custom_role")] : [];
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

/** The unique key alone does not refuse a row that an earlier version stored without one. */
async function requireFreeName(
  { tx }: Change,
  { id, resource_id, name }: NewRow<"app_roles">,
): Promise<void> {
  const holder = await tx.find("app_roles", { name_key: roleNameKey(resource_id, name) });
  if (holder === undefined || holder.id === id) return;
  throw nameTaken("app role");
}

export const appRoleRules: Rules<"app_roles"> = {
  async onNew(change, record) {
    await requireRoom(change, "app_roles", { resource_id: record.resource_id });
    await requireScopesOfApi(change, record);
    await requireFreeName(change, record);
  },
  async onChange(change, current, changes) {
    const after = { ...current, ...changes };
    await requireScopesOfApi(change, after, current.scopes);
  },
};

export const roleRules: Rules<"roles"> = {
  async onNew(change, record) {
    const { organization_id = null } = record;
    await requireRoom(change, "roles", { organization_id });
    await requireOwnName(change, record);
  },
  async onChange(change, current, changes) {
    if (changes.name !== undefined) await requireOwnName(change, { ...current, ...changes });
  },
};
