import type { ApiResource, AppRole, Membership, Organization, Role } from "../definition/definition.ts";
import { isRole } from "../definition/permissions.ts";
import { comparableRole } from "../formats/role_names.ts";
import { isMistakable, skeletonOf } from "../names/look_alikes.ts";
import { roles } from "../names/names.ts";

/**
 * A membership with its organization, roles and groups: everything that a token for the organization contains
 * about the membership.
 */
export interface Member extends MemberRecords {
  /**
   * The distinct names of the membership's role and of `roles`. Omits a name that the organization chose if
   * it looks like a custom role of the server.
   */
  readonly role_names: readonly string[];
  readonly group_names: readonly string[];
  readonly permissions: readonly string[];
  /**
   * Upper bounds for the claims of any token about this member: the number of role and group names, and the
   * bytes of JSON.
   */
  readonly most: { readonly names: number; readonly bytes: number };
}

interface MemberRecords {
  readonly membership: Membership;
  readonly organization: Organization;
  /**
   * Custom roles of the membership and of its groups, sorted by name. The built-in role is only in
   * `membership`.
   */
  readonly roles: readonly (Pick<Role, "id" | "name" | "permissions"> &
    Partial<Pick<Role, "organization_id">>)[];
  readonly groups: readonly { readonly id: string; readonly display_name: string }[];
  readonly app_roles: readonly Pick<AppRole, "resource_id" | "name" | "scopes">[];
  /** Needed only if the organization chose the name of one of the member's roles (`hasOwnRole`). */
  readonly server_roles?: readonly Pick<Role, "name">[];
}

/** Returns whether the organization chose the name of one of the member's roles. */
export const hasOwnRole = ({ membership, roles }: Pick<MemberRecords, "membership" | "roles">): boolean =>
  !isRole(membership.role) || roles.some(({ organization_id }) => organization_id !== null);

/** Returns the member with the values that tokens contain, computed once for all tokens. */
export function wholeMember(records: MemberRecords): Member {
  const { membership, organization, roles, groups, app_roles, server_roles = [] } = records;
  const ofServer = new Set(server_roles.map(({ name }) => skeletonOf(name)));
  const named = [{ name: membership.role, organization_id: organization.id }, ...roles].filter(
    (role) => role.organization_id === null || isRole(role.name) || !isMistakable(role.name, ofServer),
  );
  const role_names = [...new Set(named.map(({ name }) => name))];
  const group_names = groups.map(({ display_name }) => display_name);
  const permissions = [...new Set(roles.flatMap((role) => role.permissions))];
  const { id, slug, name } = organization;
  const texts = [id, slug, name, ...role_names, ...app_roles.map((role) => role.name), ...group_names];
  const most = {
    names: role_names.length + app_roles.length + groups.length,
    bytes: [...texts, ...permissions].reduce(
      (bytes, text) => bytes + longestEscape * text.length + 3,
      bytesOfNames,
    ),
  };
  return { ...records, role_names, group_names, permissions, most };
}

/** Maximum bytes of JSON for one UTF-16 code unit: an escape such as `\u0000`. */
const longestEscape = 6;

/** Bytes of JSON for the names and brackets of the claims: 82, rounded up. */
const bytesOfNames = 100;

/**
 * An API. `app_role_names` has the names of all its app roles; it is needed only if the member might have
 * another role with one of these names.
 */
export type ApiOfRoles = Pick<ApiResource, "id"> & { readonly app_role_names?: readonly string[] };

const namesAt = (app_roles: Member["app_roles"], id: string): readonly string[] =>
  app_roles.filter(({ resource_id }) => resource_id === id).map(({ name }) => name);

/**
 * Returns the names of a member's roles in the organization, the membership's `role` first. Omits a role with
 * the name of an app role that the member lacks at one of these APIs, because the API compares names.
 */
export function organizationRoleNames(
  { role_names, app_roles }: Pick<Member, "role_names" | "app_roles">,
  resources: readonly ApiOfRoles[],
): readonly string[] {
  const lacking = resources.flatMap(({ id, app_role_names = [] }) => {
    const held = namesAt(app_roles, id);
    return app_role_names.filter((name) => !held.includes(name));
  });
  if (lacking.length === 0) return role_names;
  const omitted = new Set(lacking.map(comparableRole));
  return role_names.filter((name) => !omitted.has(comparableRole(name)));
}

/** Returns `organizationRoleNames` and, if the token is for a single API, the roles at that API. */
export function roleNames(
  member: Pick<Member, "role_names" | "app_roles">,
  resources: readonly ApiOfRoles[],
): readonly string[] {
  const names = organizationRoleNames(member, resources);
  const [api, ...others] = resources;
  if (api === undefined || others.length > 0 || member.app_roles.length === 0) return names;
  return [...new Set([...names, ...namesAt(member.app_roles, api.id)])];
}

/** Returns whether a role of the member could have the name of an app role; built-in names are reserved. */
export const hasNamedRoles = ({ role_names }: Pick<Member, "role_names">): boolean =>
  role_names.some((name) => !builtInRoles.has(name));

const builtInRoles: ReadonlySet<string> = new Set(roles);
