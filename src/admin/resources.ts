/**
 * The families of records as the faces of management see them: one plain object each, in a list. Routes, OpenAPI, the
 * command line and the documentation are made from it; nothing about one family stands anywhere else.
 */
import type { Family } from "../records/permissions.ts";
import type { Resource } from "./resource.ts";
import { appSecrets, apps, authCodes, consents, sessions, tokens } from "./resources/clients.ts";
import {
  apiKeys,
  auditEvents,
  keyPairs,
  refusals,
  serviceAccounts,
  signingKeys,
} from "./resources/machines.ts";
import { linkedAccounts, memberships, organizations, users } from "./resources/people.ts";

export type { Expected } from "./changes.ts";
export type { ExtraMembers, Filter, JsonSchema, Resource } from "./resource.ts";

/** In the order of `families`. */
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

/** The resource of this family. */
export function resourceOf(family: Family): Resource {
  const found = resources.find((resource) => resource.family === family);
  if (found === undefined) throw new TypeError(`there is no resource of ${family}`);
  return found;
}
