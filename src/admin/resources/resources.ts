/**
 * The list of all resource types. The API, OpenAPI, the command line and the console are generated from it.
 */
import type { ResourceType } from "../../records/definition/permissions.ts";
import type { Resource } from "../manage/resource.ts";
import { apiResources } from "./api_resources.ts";
import { appSecrets, apps, authCodes, consents, sessions, tokens } from "./apps.ts";
import { attributes } from "./attributes.ts";
import { deliveries } from "./deliveries.ts";
import { events, webhookEndpoints } from "./events.ts";
import { apiKeys, auditEvents, keyPairs, refusals, serviceAccounts, signingKeys } from "./machines.ts";
import { linkedAccounts, memberships, organizations, users } from "./people.ts";
import { providers } from "./providers.ts";
import { appRoles, groupMembers, groups, roles } from "./roles.ts";

export type { Expected } from "../changes/changes.ts";
export type { Filter, Resource } from "../manage/resource.ts";

const resourceByType = {
  organizations,
  attributes,
  users,
  roles,
  providers,
  linked_accounts: linkedAccounts,
  api_keys: apiKeys,
  apps,
  app_secrets: appSecrets,
  tokens,
  auth_codes: authCodes,
  sessions,
  resources: apiResources,
  app_roles: appRoles,
  memberships,
  groups,
  group_members: groupMembers,
  service_accounts: serviceAccounts,
  key_pairs: keyPairs,
  consents,
  signing_keys: signingKeys,
  audit_events: auditEvents,
  refusals,
  deliveries,
  events,
  webhook_endpoints: webhookEndpoints,
} satisfies Readonly<Record<ResourceType, Resource>>;

/** All resource types, in the order in which a manifest writes them: records refer only to earlier ones. */
export const resources: readonly Resource[] = Object.values(resourceByType);

export function resourceOf(resourceType: ResourceType): Resource {
  return resourceByType[resourceType];
}
