import type { ResourceType } from "../../records/definition/permissions.ts";

/**
 * Whether writing a record of this type affects access or permissions (SU-6, SU-7). Pages then require a
 * recent sign-in.
 */
const sensitive: Readonly<Record<ResourceType, boolean>> = {
  users: true,
  organizations: true,
  memberships: true,
  roles: true,
  groups: true,
  group_members: true,
  providers: true,
  linked_accounts: true,
  api_keys: true,
  apps: false,
  app_secrets: true,
  tokens: false,
  auth_codes: false,
  consents: false,
  sessions: false,
  resources: false,
  app_roles: false,
  service_accounts: false,
  key_pairs: true,
  signing_keys: true,
  audit_events: false,
  refusals: false,
  deliveries: false,
  events: false,
  webhook_endpoints: true,
  attributes: false,
};

export function isSensitive(resourceType: ResourceType): boolean {
  return sensitive[resourceType];
}
