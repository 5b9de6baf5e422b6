import type { ApiResource, AppRole, Membership, Organization, Role } from "../definition/definition.ts";

/**
 * A membership with its organization, roles and groups: everything that an organization's token contains
 * about its user.
 */
export interface Member {
  readonly membership: Membership;
  readonly organization: Organization;
  /** Roles of the membership and of its groups, by name; the built-in role is on the membership itself. */
  readonly roles: readonly Pick<Role, "id" | "name" | "permissions">[];
  /** By name. */
  readonly groups: readonly { readonly id: string; readonly display_name: string }[];
  /** Roles of the membership and of its groups, at every API. */
  readonly app_roles: readonly Pick<AppRole, "resource_id" | "name" | "scopes">[];
}

/**
 * Returns the role names of a member, the built-in one first. If the token is for a single API, they
 * include the roles at that API.
 */
export function roleNames(
  { membership, roles, app_roles }: Member,
  resources: readonly Pick<ApiResource, "id">[],
): string[] {
  const [api, ...others] = resources;
  const ofApi = others.length === 0 ? app_roles.filter(({ resource_id }) => resource_id === api?.id) : [];
  return [...new Set([membership.role, ...[...roles, ...ofApi].map(({ name }) => name)])];
}

/** Returns the distinct permissions of a member's roles. */
export function permissionWords({ roles }: Pick<Member, "roles">): string[] {
  return [...new Set(roles.flatMap(({ permissions }) => permissions))];
}
