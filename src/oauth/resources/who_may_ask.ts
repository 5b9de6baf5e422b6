/** The APIs that a client may request (docs/decisions/resources-and-scopes.md). */

import type { ApiResource, OAuthApp, Organization } from "../../records/definition/definition.ts";
import { scopesOf } from "../../records/formats/resource_scopes.ts";
import { identifierKey } from "../../records/names/resource_identifiers.ts";
import { isOpenClient } from "../../records/rules/open_clients.ts";
import type { Clients } from "../../storage/ports.ts";
import { nearestFirst } from "../refusals/nearest.ts";

/** The client that asks, and the service account that acts through it. */
export interface Requester {
  readonly app: Pick<OAuthApp, "provenance" | "resources" | "organization_id">;
  readonly account?: { readonly organization: Organization | undefined } | undefined;
}

/**
 * Whether the client may request tokens for the API: every client, if the API is open; an app that lists it;
 * registered apps, for an API of their organization or of the server.
 */
export function mayRequest(resource: ApiResource, { app, account }: Requester): boolean {
  if (!resource.active) return false;
  if (resource.who_may_ask === "any") return true;
  if (isOpenClient(app)) return false;
  if (app.resources.includes(resource.identifier)) return true;
  const { organization_id } = resource;
  if (resource.who_may_ask !== "registered") return false;
  return [null, app.organization_id, account?.organization?.id].includes(organization_id);
}

/** Whether who owns the API answers for the client: by listing it there, or because it is theirs, too. */
function isOwnersWord({ identifier, organization_id }: ApiResource, { app, account }: Requester): boolean {
  if (app.resources.includes(identifier)) return true;
  const owners = account === undefined ? [app.organization_id] : [account.organization?.id ?? null];
  return owners.includes(organization_id);
}

/**
 * Of the scopes that a machine may have by its own record, those that it may have at these APIs. No person
 * consents to them, and every organization names the scopes of its apps itself: at the API of another owner
 * they are those that every client gets (PR-94). An API that defines a scope decides on it.
 */
export function machineScopesAt(
  scopes: readonly string[],
  resources: readonly ApiResource[],
  requester: Requester,
): readonly string[] {
  const strange = resources.filter((resource) => !isOwnersWord(resource, requester));
  return scopes.filter((name) =>
    strange.every((resource) => !scopesOf(resource).includes(name) || resource.default_scopes.includes(name)),
  );
}

/** The owners of APIs that are looked up. */
interface ResourceReads {
  readonly store: Pick<Clients, "resourcesNear">;
}

/** Spellings that a refusal proposes at most. */
const mostProposed = 3;

/**
 * The APIs with the most similar spelling that this client may request: of its owner, of the server and those
 * that it lists. An open client has only those for every client.
 */
export async function nearestResources(
  requested: string,
  requester: Requester,
  { store }: ResourceReads,
): Promise<readonly string[]> {
  const known = await store.resourcesNear(requester.app);
  return nearestFirst(
    identifierKey(requested) ?? requested,
    known.filter((resource) => mayRequest(resource, requester)),
    ({ identifier, identifier_key }) => identifier_key ?? identifier,
  )
    .slice(0, mostProposed)
    .map(({ identifier }) => identifier);
}
