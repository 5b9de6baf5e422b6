import { mayDo } from "../../admin/access/access.ts";
import type { AdminContext } from "../../admin/access/actor.ts";
import { discoveryDocument } from "../../oauth/discovery_document.ts";
import { algorithmsOf } from "../../oauth/resources.ts";
import type { AuthorizationServer } from "../../oauth/server.ts";
import type { ApiResource } from "../../records/definition.ts";
import { isActive } from "../../records/liveness.ts";
import { scopesOf } from "../../records/resource_scopes.ts";
import type { SnippetApi } from "../../web/console/verify_snippets.ts";

/** What the snippets of an API show. */
export async function snippetApi(
  api: ApiResource,
  admin: AdminContext,
  server: AuthorizationServer,
): Promise<SnippetApi> {
  const document = discoveryDocument(server);
  return {
    issuer: server.issuer,
    jwks_uri: String(document.jwks_uri),
    introspection_endpoint: String(document.introspection_endpoint),
    identifier: api.identifier,
    algorithms: algorithmsOf(api, server),
    scope: scopesOf(api)[0],
    bound: api.dpop_bound_access_tokens_required,
    client_id: await introspectingClient(api, admin),
  };
}

/** The first app of the API that introspects with a secret, among those that the actor may read. */
async function introspectingClient(
  { app_ids }: ApiResource,
  admin: AdminContext,
): Promise<string | undefined> {
  for (const id of app_ids) {
    const app = await admin.store.find("oauth_apps", { id });
    if (app === undefined || app.public || !isActive(app)) continue;
    if (app.token_endpoint_auth_method === "private_key_jwt") continue;
    if (await mayDo(admin, "apps:read", "oauth_apps", id)) return app.client_id;
  }
  return undefined;
}
