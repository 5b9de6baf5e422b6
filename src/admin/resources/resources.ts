/**
 * The resource types as the faces of management see them: one plain object each, in a list. Routes, OpenAPI,
 * the command line and the documentation are made from it; nothing about one resource type stands anywhere
 * else.
 */
import type { ResourceType } from "../../records/permissions.ts";
import { appSecrets, apps, authCodes, consents, sessions, tokens } from "./apps.ts";
import { apiKeys, auditEvents, keyPairs, refusals, serviceAccounts, signingKeys } from "./machines.ts";
import { linkedAccounts, memberships, organizations, users } from "./people.ts";
import type { Resource } from "./resource.ts";

export type { Expected } from "../changes.ts";
export type { Filter, Resource } from "./resource.ts";

/** In the order of `resourceTypes`. */
export const resources: readonly Resource[] = [
  users,
  organizations,
  memberships,
  linkedAccounts,
  apiKeys,
  apps,
  appSecrets,
  tokens,
  authCodes,
  consents,
  sessions,
  serviceAccounts,
  keyPairs,
  signingKeys,
  auditEvents,
  refusals,
];

/** The resource of this resource type. */
export function resourceOf(resourceType: ResourceType): Resource {
  const found = resources.find((resource) => resource.resourceType === resourceType);
  if (found === undefined) throw new TypeError(`there is no resource of ${resourceType}`);
  return found;
}
