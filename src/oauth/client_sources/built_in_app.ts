/** Apps that belong to this server and are created at their first use. */

import type { NewRow } from "../../records/definition/definition.ts";
import type { RequestOrigin } from "../../records/definition/request_origin.ts";
import { builtInAppLock } from "../../records/names/lock_names.ts";
import { builtInClientId } from "../../records/names/names.ts";
import { isUsable } from "../../records/rules/client_record.ts";
import type { AuthenticatedClient, AuthorizationServer } from "../core/server.ts";
import { refuse } from "../refusals/refuse.ts";
import { impersonalUser } from "./impersonal_user.ts";

export type BuiltInApp = Omit<NewRow<"oauth_apps">, "id" | "owner_id" | "created_at" | "updated_at">;

/** The client of a token request in which a service account names no client (design 6.22). */
const ownApp: BuiltInApp = {
  client_id: builtInClientId,
  name: "This server",
  description: "Represents this server when a service account requests a token without a client",
  app_type: "service",
  allowed_grants: ["jwt_bearer"],
  allowed_response_types: [],
};

/**
 * Returns the built-in app as the client of a request that names none. Throws `invalid_client` if the app is
 * inactive.
 */
export async function builtInClient(
  server: AuthorizationServer,
  origin: RequestOrigin,
): Promise<AuthenticatedClient> {
  const { store } = server;
  const found = await store.findClient(builtInClientId);
  if (found === undefined) await makeBuiltInApp(ownApp, server, origin);
  const client = found ?? (await store.findClient(builtInClientId));
  if (client === undefined || !isUsable(client)) throw refuse("client_may_not_be_left_out");
  return { ...client, method: "none", proof: { type: "none" } };
}

/** Stores the app only once, even if several processes try. */
export async function makeBuiltInApp(
  app: BuiltInApp,
  { store, now, report }: AuthorizationServer,
  origin: RequestOrigin,
): Promise<void> {
  const at = now();
  const id = store.newId(at);
  const owner_id = store.newId(at);
  const made = await store.transaction(async (tx) => {
    await tx.lock(builtInAppLock());
    if ((await tx.find("oauth_apps", { client_id: app.client_id })) !== undefined) return false;
    await tx.insert("users", impersonalUser(owner_id, at, app.name));
    await tx.insert("oauth_apps", { ...app, id, owner_id, created_at: at, updated_at: at });
    return true;
  });
  if (!made) return;
  report({
    type: "built_in_app_made",
    outcome: "success",
    actor: { kind: "system" },
    target: { table: "oauth_apps", id },
    origin,
  });
}
