/** An API key as somebody presents it, and whether it is alive now (spec 2.5). */

import { apiKeyHash, isApiKey } from "../crypto/api_keys.ts";
import type { APIKey, Organization, User } from "../records/definition.ts";
import { stateOfCredential } from "../records/liveness.ts";
import { introspectionScope } from "../records/names.ts";
import type { AuthenticatedClient, AuthorizationServer } from "./server.ts";

/** A live key with whose it is: an organization's, or a user's. */
export type LiveApiKey =
  | { readonly row: APIKey; readonly organization: Organization }
  | { readonly row: APIKey; readonly organization: undefined; readonly user: User };

/**
 * The key if it is alive: neither revoked nor expired, of an active owner. A text without a right checksum is
 * none, and nothing is looked up for it. Keys are read fresh, so that a revocation is seen at once.
 */
export async function liveApiKey(
  presented: string,
  { store, now }: AuthorizationServer,
): Promise<LiveApiKey | undefined> {
  if (!isApiKey(presented)) return undefined;
  const row = await store.find("api_keys", { key_hash: apiKeyHash(presented) });
  if (row === undefined || stateOfCredential(row, now()) !== "active") return undefined;
  const user = row.user_id === null ? undefined : await store.findUser(row.user_id);
  if (row.user_id !== null && !user?.active) return undefined;
  if (row.organization_id !== null) {
    const organization = await store.find("organizations", { id: row.organization_id });
    return organization?.active ? { row, organization } : undefined;
  }
  return user && { row, organization: undefined, user };
}

/**
 * The apps that may introspect an API key (design 6.7 by analogy) hold `token:introspect`. For an
 * organization's key they are those of the same organization. For a user's key they are those without an
 * organization, or of one that the user is a member of.
 */
export async function maySeeApiKey(
  { app }: AuthenticatedClient,
  key: LiveApiKey,
  { store }: AuthorizationServer,
): Promise<boolean> {
  if (!app.allowed_scopes.includes(introspectionScope)) return false;
  if (key.organization !== undefined) return key.organization.id === app.organization_id;
  if (app.organization_id === null) return true;
  const of = { user_id: key.user.id, organization_id: app.organization_id };
  return (await store.find("memberships", of)) !== undefined;
}
