import { type FieldError, fieldError, type Reason, reason } from "../../errors/field_errors.ts";
import type { Membership } from "../../records/definition/definition.ts";
import {
  permissions as everyPermission,
  isUseful,
  managementScopes,
  type Permission,
  permissionsOf,
  permissionsOfMembership,
  scopeOf,
} from "../../records/definition/permissions.ts";
import { isReservedScope, openidScopes, roles } from "../../records/names/names.ts";
import type { Verbs } from "../../storage/database/verbs.ts";
import type { EffectivePermissions } from "./actor.ts";
import { both, mayGive, type Owner, powersOf, reservedBeyond } from "./giving.ts";
import { givenScopes, scopesOfApps } from "./plain_scopes.ts";

type Reads = Pick<Verbs, "find" | "list" | "listColumns">;

const openid: ReadonlySet<string> = new Set(openidScopes);

/** `roles` starts with the highest role. */
function rankOf(role: string | undefined): number {
  const rank = (roles as readonly string[]).indexOf(role ?? "");
  return rank === -1 ? roles.length : rank;
}

export function isAbove(
  role: string,
  actorPermissions: EffectivePermissions,
  organization_id: string,
): boolean {
  return (
    !actorPermissions.platform &&
    rankOf(role) < rankOf(actorPermissions.organizations.get(organization_id)?.role)
  );
}

/**
 * Returns the errors of the role and permissions of a new or changed membership (spec 2.3). Values that the
 * membership already had (`before`) pass.
 */
export function membershipErrors(
  actorPermissions: EffectivePermissions,
  after: Pick<Membership, "organization_id" | "role" | "permissions">,
  before?: Pick<Membership, "role" | "permissions">,
): FieldError[] {
  const held = mayGive(actorPermissions, { organization_id: after.organization_id });
  const had = before === undefined ? undefined : permissionsOfMembership(before);
  const isBeyond = (permission: Permission) => !held.has(permission) && !had?.has(permission);
  const errors: FieldError[] = [];
  if (after.role !== before?.role && isAbove(after.role, actorPermissions, after.organization_id)) {
    errors.push(fieldError("/role", "role_above"));
  } else {
    const beyond = [...permissionsOfMembership({ role: after.role, permissions: null })].filter(isBeyond);
    if (beyond.length > 0) {
      errors.push(fieldError("/role", "role_beyond", { permissions: beyond }));
    }
  }
  for (const [index, permission] of (after.permissions ?? []).entries()) {
    if ([...permissionsOfMembership({ role: "", permissions: [permission] })].some(isBeyond)) {
      errors.push(fieldError(`/permissions/${index}`, "permission_not_held"));
    }
  }
  return errors;
}

/**
 * Returns the errors of the scopes of an API key or service account, except for scopes that it `had` before.
 */
export async function scopeErrors(
  reads: Reads,
  actorPermissions: EffectivePermissions,
  owner: Owner,
  field: string,
  scopes: readonly string[],
  had: readonly string[] = [],
): Promise<FieldError[]> {
  const added = scopes.flatMap((scope, index) => (had.includes(scope) ? [] : [{ scope, index }]));
  if (added.length === 0) return [];
  const powers = await powersOf(reads, actorPermissions, owner);
  const ownersOf = added.some(({ scope }) => !isReservedScope(scope))
    ? await givenScopes(reads, actorPermissions, owner)
    : undefined;

  function whyNot(scope: string): Reason | undefined {
    if (!isReservedScope(scope)) {
      return ownersOf?.(scope).length ? undefined : reason("scope_of_no_app");
    }
    if (reservedBeyond(actorPermissions, [scope]).length > 0) return reason("scope_reserved");
    const carried = permissionsOf([scope]);
    if (carried.size === 0) return undefined;
    for (const { owner: theirs, mine } of powers) {
      const useful = both(carried, theirs);
      if (useful.size === 0 || (!actorPermissions.platform && useful.size < carried.size)) {
        return reason("scope_beyond_owner");
      }
      if (both(useful, mine).size < useful.size) return reason("scope_beyond_you");
    }
    return powers.length === 0 ? reason("scope_without_owner") : undefined;
  }

  return added.flatMap(({ scope, index }) => {
    const why = whyNot(scope);
    return why === undefined ? [] : [{ path: `/${field}/${index}`, ...why }];
  });
}

const mostApps = 200;

/**
 * Returns the scopes that the actor may grant to a new API key of this owner, management scopes first. Leaves
 * out OpenID Connect scopes, because an API key does not sign users in.
 */
export async function grantableScopes(
  reads: Reads,
  actorPermissions: EffectivePermissions,
  owner: Owner,
): Promise<readonly string[]> {
  const known = await scopesOfApps(reads, actorPermissions, owner, mostApps);
  const ofApps = [...known.keys()].filter((scope) => !openid.has(scope));
  const useless = everyPermission.filter((permission) => !isUseful(permission)).map(scopeOf);
  const useful = managementScopes.filter((scope) => !useless.includes(scope));
  const reserved = [...new Set([...useful, ...ofApps.filter(isReservedScope)])];
  const errors = await scopeErrors(reads, actorPermissions, owner, "scopes", reserved);
  const refused = new Set(errors.map(({ path }) => path));
  const input = reserved.filter((_, index) => !refused.has(`/scopes/${index}`));
  return [...input, ...ofApps.filter((scope) => !isReservedScope(scope))];
}

/**
 * Returns the errors of an app's `allowed_scopes`, except for scopes that the app `had` before. Only a
 * platform administrator may add reserved scopes (design 6.7).
 */
export function reservedScopeErrors(
  actorPermissions: EffectivePermissions,
  scopes: readonly string[],
  had: readonly string[] = [],
): FieldError[] {
  return scopes.flatMap((scope, index): FieldError[] => {
    if (!isReservedScope(scope) || had.includes(scope)) return [];
    if (!actorPermissions.platform) return [fieldError(`/allowed_scopes/${index}`, "scope_reserved")];
    const carried = permissionsOf([scope]);
    const mine = mayGive(actorPermissions, "everywhere");
    const within =
      reservedBeyond(actorPermissions, [scope]).length === 0 && both(carried, mine).size === carried.size;
    return within ? [] : [fieldError(`/allowed_scopes/${index}`, "scope_beyond_you")];
  });
}
