import type { ApiResource, OAuthApp, Organization } from "../../records/definition/definition.ts";
import { scopesOf } from "../../records/formats/resource_scopes.ts";
import { identifierKey } from "../../records/names/resource_identifiers.ts";
import { isOpenClient } from "../../records/rules/client_record.ts";
import type { Clients } from "../../storage/ports.ts";
import { nearestFirst } from "../refusals/nearest.ts";

export interface Requester {
  readonly app: Pick<OAuthApp, "provenance" | "resources" | "organization_id">;
  readonly account?: { readonly organization: Organization | undefined } | undefined;
}

/** Returns whether the client may request tokens for the API. */
export function mayRequest(resource: ApiResource, { app, account }: Requester): boolean {
  if (!resource.active) return false;
  if (resource.who_may_ask === "any") return true;
  if (isOpenClient(app)) return false;
  if (app.resources.includes(resource.identifier)) return true;
  const { organization_id } = resource;
  if (resource.who_may_ask !== "registered") return false;
  return [null, app.organization_id, account?.organization?.id].includes(organization_id);
}

function isOwnersWord({ identifier, organization_id }: ApiResource, { app, account }: Requester): boolean {
  if (app.resources.includes(identifier)) return true;
  const owners = account === undefined ? [app.organization_id] : [account.organization?.id ?? null];
  return owners.includes(organization_id);
}

/**
 * Returns which of these scopes a client or service account that acts for itself may have at these APIs. No
 * user consents to them. At an API of another owner, it therefore gets only the API's default scopes, unless
 * the app lists the API (PR-94).
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

interface ResourceReads {
  readonly store: Pick<Clients, "resourcesNear">;
}

const mostProposed = 3;

/**
 * Returns the identifiers of at most three APIs that this client may request, the most similarly spelled
 * first.
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
