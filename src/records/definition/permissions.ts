/**
 * The permissions of the management API. A permission is `<resource type>:read` or `<resource type>:write`;
 * its scope is `postern:` followed by the permission. It must be held for the owner of the row
 * (`ownership.ts`).
 */

import { roles } from "../names/names.ts";
import type { Membership, TableName } from "./definition.ts";

export const tableOfResourceType = {
  users: "users",
  organizations: "organizations",
  memberships: "memberships",
  roles: "roles",
  groups: "groups",
  group_members: "group_members",
  providers: "providers",
  linked_accounts: "oauth_accounts",
  api_keys: "api_keys",
  apps: "oauth_apps",
  app_secrets: "oauth_app_secrets",
  tokens: "oauth_tokens",
  auth_codes: "oauth_auth_codes",
  consents: "oauth_consents",
  sessions: "sessions",
  resources: "resources",
  app_roles: "app_roles",
  service_accounts: "service_accounts",
  key_pairs: "service_account_key_pairs",
  signing_keys: "signing_keys",
  audit_events: "audit_events",
  refusals: "refusals",
  deliveries: "deliveries",
  events: "events",
  webhook_endpoints: "webhook_endpoints",
  attributes: "attribute_definitions",
} as const satisfies Readonly<Record<string, TableName>>;

export type ResourceType = keyof typeof tableOfResourceType;

export const resourceTypes = Object.keys(tableOfResourceType) as readonly ResourceType[];

/** Returns the singular of a resource type. */
export const singularOf = (plural: string): string => plural.replace(/ies$/, "y").replace(/s$/, "");

/** Undefined for tables that are not managed. */
export const resourceTypeOfTable: { readonly [T in TableName]?: ResourceType } = Object.fromEntries(
  resourceTypes.map((resourceType) => [tableOfResourceType[resourceType], resourceType]),
);

export type Permission = `${ResourceType}:${"read" | "write"}`;

export const permissions: readonly Permission[] = resourceTypes.flatMap(
  (family) => [`${family}:read`, `${family}:write`] as const,
);

/** Resource types that only the server writes, so their write permission has no effect. */
const onlyRead: readonly ResourceType[] = ["audit_events", "refusals", "events"];

/** Returns whether the permission has any effect. */
export function isUseful(permission: Permission): boolean {
  return !onlyRead.some((resourceType) => permission === `${resourceType}:write`);
}

function isPermission(text: string): text is Permission {
  return (permissions as readonly string[]).includes(text);
}

/**
 * A role that this server knows. Spec 2.3 allows any other name too, but such a role grants no permissions on
 * this server.
 */
export type Role = (typeof roles)[number];

export function isRole(text: string): text is Role {
  return (roles as readonly string[]).includes(text);
}

const member: readonly Permission[] = [
  "organizations:read",
  "memberships:read",
  "roles:read",
  "groups:read",
  "group_members:read",
  "apps:read",
  "resources:read",
  "app_roles:read",
];

const developer: readonly Permission[] = [
  ...member,
  "apps:write",
  "app_secrets:read",
  "app_secrets:write",
  "resources:write",
  "app_roles:write",
  "service_accounts:read",
  "service_accounts:write",
  "key_pairs:read",
  "key_pairs:write",
  "tokens:read",
  "tokens:write",
  "auth_codes:read",
  "auth_codes:write",
  "refusals:read",
  "deliveries:read",
  "deliveries:write",
];

const admin: readonly Permission[] = [
  ...developer,
  "organizations:write",
  "memberships:write",
  "roles:write",
  "groups:write",
  "group_members:write",
  "attributes:read",
  "attributes:write",
  "users:read",
  "providers:read",
  "providers:write",
  "api_keys:read",
  "api_keys:write",
  "consents:read",
  "consents:write",
  "audit_events:read",
  "events:read",
  "webhook_endpoints:read",
  "webhook_endpoints:write",
];

/**
 * The permissions of a role within its organization; the `permissions` of a membership are added to them. An
 * owner is an admin who may also appoint owners and delete the organization.
 */
export const rolePermissions: Readonly<Record<Role, readonly Permission[]>> = {
  owner: admin,
  admin,
  developer,
  member,
};

/** Returns the permissions of a membership: those of its role, and its `permissions` (spec 2.3). */
export function permissionsOfMembership({
  role,
  permissions: more,
}: Pick<Membership, "role" | "permissions">): ReadonlySet<Permission> {
  return new Set([...(isRole(role) ? rolePermissions[role] : []), ...(more ?? []).filter(isPermission)]);
}

/** Every user's permissions for their own user record and the records that they own. */
export const selfPermissions: readonly Permission[] = [
  "users:read",
  "users:write",
  "memberships:read",
  "memberships:write",
  "linked_accounts:read",
  "linked_accounts:write",
  "api_keys:read",
  "api_keys:write",
  "apps:read",
  "apps:write",
  "app_secrets:read",
  "app_secrets:write",
  "tokens:read",
  "tokens:write",
  "auth_codes:read",
  "auth_codes:write",
  "consents:read",
  "consents:write",
  "sessions:read",
  "sessions:write",
  "audit_events:read",
  "refusals:read",
];

export const manageScope = "postern:manage";
export const readScope = "postern:read";

/**
 * A token with this scope serves as the initial access token of a client that registers itself (RFC 7591 3).
 * The scope permits nothing else.
 */
export const registrationScope = "postern:register";

/**
 * Lets a credential of a platform administrator import users with their password hashes (MG-6). The scope
 * permits nothing else.
 */
export const importScope = "postern:import";

export function scopeOf(permission: Permission): string {
  return `postern:${permission}`;
}

export const managementScopes: readonly string[] = [
  manageScope,
  readScope,
  registrationScope,
  importScope,
  ...permissions.map(scopeOf),
];

/** Returns the permissions that these scopes grant. */
export function permissionsOf(scopes: readonly string[]): ReadonlySet<Permission> {
  return new Set(
    permissions.filter(
      (permission) =>
        scopes.includes(manageScope) ||
        scopes.includes(scopeOf(permission)) ||
        (permission.endsWith(":read") && scopes.includes(readScope)),
    ),
  );
}
