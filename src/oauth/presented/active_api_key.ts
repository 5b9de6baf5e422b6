/** Whether a presented API key is active (spec 2.5), and who may introspect it. */

import { apiKeyHash, isApiKey } from "../../crypto/api_keys.ts";
import type { Organization, User } from "../../records/definition/definition.ts";
import { introspectionScope } from "../../records/names/names.ts";
import { type ApiKeyRecord, stateOfApiKey } from "../../records/rules/client_record.ts";
import type { Clients } from "../../storage/ports.ts";
import type { AuthenticatedClient, AuthorizationServer } from "../core/server.ts";

type ActiveApiKey = Pick<ApiKeyRecord, "key"> &
  (
    | { readonly user: User; readonly organization: undefined }
    | { readonly user: undefined; readonly organization: Organization }
  );

/** Returns the key if it is active. A string without a valid checksum is not a key, and costs no look-up. */
export async function activeApiKey(
  presented: string,
  { store, now }: Pick<AuthorizationServer, "now"> & { readonly store: Pick<Clients, "findApiKey"> },
): Promise<ActiveApiKey | undefined> {
  if (!isApiKey(presented)) return undefined;
  const record = await store.findApiKey(apiKeyHash(presented));
  if (record === undefined || stateOfApiKey(record, now()) !== "active") return undefined;
  const { key, user, organization } = record;
  if (organization !== undefined) return { key, user: undefined, organization };
  return user && { key, user, organization };
}

/**
 * Returns whether the app may introspect an API key (design 6.7). An app of an organization sees a user's key
 * only if the user's current membership of that organization is older than the key (OC-4).
 */
export async function maySeeApiKey(
  { app }: AuthenticatedClient,
  key: ActiveApiKey,
  { store }: AuthorizationServer,
): Promise<boolean> {
  if (!app.allowed_scopes.includes(introspectionScope)) return false;
  if (key.user === undefined) return key.organization.id === app.organization_id;
  if (app.organization_id === null) return true;
  const of = { user_id: key.user.id, organization_id: app.organization_id };
  const membership = await store.find("memberships", of);
  return membership !== undefined && membership.created_at <= key.key.created_at;
}
