import { mayDo } from "../../admin/access/access.ts";
import type { AdminContext } from "../../admin/access/actor.ts";
import type { AuthorizationServer } from "../../oauth/core/server.ts";
import { discoveryDocument } from "../../oauth/discovery_document.ts";
import { algorithmsOf } from "../../oauth/resources/audience.ts";
import type { ApiResource, OAuthApp } from "../../records/definition/definition.ts";
import { scopesOf } from "../../records/formats/resource_scopes.ts";
import { isActive } from "../../records/names/liveness.ts";
import { hasSecret } from "../../records/rules/client_record.ts";
import type { SnippetApi } from "./verify_snippets.view.ts";

/** Returns the resource servers of the API (`app_ids`) that the actor may read. */
export async function readableApps(
  { app_ids }: Pick<ApiResource, "app_ids">,
  admin: AdminContext,
): Promise<OAuthApp[]> {
  const apps = await Promise.all(
    app_ids.map(async (id) => {
      const mayRead = await mayDo(admin, "apps:read", "oauth_apps", id);
      return mayRead ? await admin.store.find("oauth_apps", { id }) : undefined;
    }),
  );
  return apps.filter((app) => app !== undefined);
}

/** Returns the values for the code samples of an API. */
export function snippetApi(
  api: Pick<
    ApiResource,
    "identifier" | "scopes" | "access_token_signing_alg" | "dpop_bound_access_tokens_required"
  >,
  apps: readonly OAuthApp[],
  server: AuthorizationServer,
): SnippetApi {
  const document = discoveryDocument(server);
  const introspecting = apps.find((app) => hasSecret(app) && isActive(app));
  return {
    issuer: server.issuer,
    jwks_uri: String(document.jwks_uri),
    introspection_endpoint: String(document.introspection_endpoint),
    identifier: api.identifier,
    algorithms: algorithmsOf(api, server),
    scope: scopesOf(api)[0],
    bound: api.dpop_bound_access_tokens_required,
    client_id: introspecting?.client_id,
  };
}
