/** The app that represents this server where an assertion comes without a client (design 6.22). */
import { isUsable } from "../../records/client_record.ts";
import { builtInAppLock } from "../../records/lock_names.ts";
import { builtInClientId } from "../../records/names.ts";
import type { RequestOrigin } from "../../records/request_origin.ts";
import { refuse } from "../refusals/refuse.ts";
import type { AuthenticatedClient, AuthorizationServer } from "../server.ts";
import { impersonalUser } from "./impersonal_user.ts";

/**
 * The built-in app as the client of a request that names none; it is made at its first use. Throws
 * `invalid_client` when the app is inactive: then every assertion needs a client.
 */
export async function builtInClient(
  server: AuthorizationServer,
  origin: RequestOrigin,
): Promise<AuthenticatedClient> {
  const { store } = server;
  const found = await store.findClient(builtInClientId);
  if (found === undefined) await makeBuiltInApp(server, origin);
  const client = found ?? (await store.findClient(builtInClientId));
  if (client === undefined || !isUsable(client)) throw refuse("client_may_not_be_left_out");
  return { ...client, method: "none", proof: { type: "none" } };
}

/** Its owner is a user that no person is. */
async function makeBuiltInApp(
  { store, now, report }: AuthorizationServer,
  origin: RequestOrigin,
): Promise<void> {
  const at = now();
  const id = store.newId(at);
  const owner_id = store.newId(at);
  const times = { created_at: at, updated_at: at };
  const made = await store.transaction(async (tx) => {
    await tx.lock(builtInAppLock());
    if ((await tx.find("oauth_apps", { client_id: builtInClientId })) !== undefined) return false;
    await tx.insert("users", impersonalUser(owner_id, at, "This server"));
    await tx.insert("oauth_apps", {
      id,
      client_id: builtInClientId,
      name: "This server",
      description: "Stands for this server where a service account asks for a token without a client",
      app_type: "service",
      owner_id,
      allowed_grants: ["jwt_bearer"],
      allowed_response_types: [],
      ...times,
    });
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
