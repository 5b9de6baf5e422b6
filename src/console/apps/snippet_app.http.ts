import { playgroundCallback } from "../../oauth/authorize/playground_callback.ts";
import { rulesFor } from "../../oauth/core/rules_for.ts";
import type { AuthorizationServer } from "../../oauth/core/server.ts";
import { isAboutUser, isGrantable } from "../../oauth/resources/requested.ts";
import type { OAuthApp } from "../../records/definition/definition.ts";
import { managementScopes } from "../../records/definition/permissions.ts";
import { hasSecret } from "../../records/rules/client_record.ts";
import type { SnippetApp } from "./snippet_parts.view.ts";

/**
 * What the snippets of an app show. Scopes that give power over this server are left out: few mean them.
 */
export function snippetApp(app: OAuthApp, server: AuthorizationServer): SnippetApp {
  const { issuer } = server;
  const { pushed_requests, bound_tokens, id_token_algorithm } = rulesFor(app, server);
  const { allowed_grants, allowed_scopes, redirect_uris } = app;
  const [post_logout_redirect_uri] = app.post_logout_redirect_uris;
  const scopes = allowed_scopes.filter((scope) => isGrantable(scope) && !managementScopes.includes(scope));
  const machine_scopes = allowed_scopes.filter((scope) => isGrantable(scope) && !isAboutUser(scope));
  const playground = playgroundCallback(issuer, app.id);
  const redirect_uri = redirect_uris.find((uri) => uri !== playground);
  const signs_in = allowed_grants.includes("auth_code") && redirect_uri !== undefined && scopes.length > 0;
  const is_machine =
    allowed_grants.includes("client_credentials") && !app.public && machine_scopes.length > 0;
  return {
    issuer,
    client_id: app.client_id,
    public: app.public,
    proves_keys: pushed_requests || bound_tokens || !(app.public || hasSecret(app)),
    in_browser: app.app_type === "spa" && app.public,
    on_device: app.app_type === "native",
    rsa_id_tokens: ["RS256", "PS256"].includes(id_token_algorithm),
    sign_in: signs_in ? { redirect_uri, scope: scopes.join(" "), post_logout_redirect_uri } : undefined,
    // A machine is registered for what it does, management too.
    machine: is_machine ? { scope: machine_scopes.join(" ") } : undefined,
    resource: app.resources[0],
  };
}
