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
  /** The distinct names of the built-in role and of `roles`. */
  readonly role_names: readonly string[];
  /** The distinct permissions of `roles`. */
  readonly permissions: readonly string[];
  /** By name. */
  readonly groups: readonly { readonly id: string; readonly display_name: string }[];
  /** Roles of the membership and of its groups, at every API. */
  readonly app_roles: readonly Pick<AppRole, "resource_id" | "name" | "scopes">[];
}

/**
 * Returns the names and permissions that a member's roles grant. Tokens contain them, so they are computed once for all
 * tokens.
 */
export function namesOfRoles(
  { role }: Pick<Membership, "role">,
  roles: Member["roles"],
): Pick<Member, "role_names" | "permissions"> {
  return {
    role_names: [...new Set([role, ...roles.map(({ name }) => name)])],
    permissions: [...new Set(roles.flatMap(({ permissions }) => permissions))],
  };
}

/**
 * Returns the role names of a member, the built-in one first. If the token is for a single API, they
 * include the roles at that API.
 */
export function roleNames(
  { role_names, app_roles }: Pick<Member, "role_names" | "app_roles">,
  resources: readonly Pick<ApiResource, "id">[],
): readonly string[] {
  const [api, ...others] = resources;
  if (others.length > 0 || app_roles.length === 0) return role_names;
  const ofApi = app_roles.filter(({ resource_id }) => resource_id === api?.id);
  return [...new Set([...role_names, ...ofApi.map(({ name }) => name)])];
}
