import { type AppState, appState } from "../../admin/reports/app_state.ts";
import { playgroundCallback } from "../../oauth/authorize/playground_callback.ts";
import { rulesFor } from "../../oauth/core/rules_for.ts";
import type { AuthorizationServer } from "../../oauth/core/server.ts";
import { discoveryDocument } from "../../oauth/discovery_document.ts";
import { isAboutUser, isGrantable } from "../../oauth/resources/requested.ts";
import { mayRequest } from "../../oauth/resources/who_may_ask.ts";
import type { ApiResource, OAuthApp } from "../../records/definition/definition.ts";
import { managementScopes } from "../../records/definition/permissions.ts";
import { stateOfApp, stateOfCredential } from "../../records/names/liveness.ts";
import { hasSecret } from "../../records/rules/client_record.ts";
import type { Html } from "../../web/html/html.ts";
import type { ConsolePerson } from "../frame/viewer.http.ts";
import { appHead } from "./app_checks.http.ts";
import { snippetApi } from "./snippet_api.http.ts";
import type { SnippetApp } from "./snippet_parts.view.ts";
import { type UsePage, usePage } from "./use.page.ts";

/** Returns the quickstart page of an app. Throws 403 `forbidden`, 404 `not_found`. */
export async function appQuickstart(
  { admin, page }: Pick<ConsolePerson, "admin" | "page">,
  id: string,
  server: AuthorizationServer,
  created?: UsePage["created"],
): Promise<Html> {
  const state = await appState(admin, id, "apps:read");
  const { app } = state;
  const apis = await requestableApis(app, server);
  const shown = { ...snippetApp(app, apis, server), ...appHead(state, server) };
  const gaps = gapsOf(state, shown, server.now());
  const endpoints = endpointsOf(server);
  const api = app.app_type === "service" ? await apiOf(state, server) : undefined;
  return usePage({ ...page, app: shown, gaps, endpoints, api, created });
}

async function requestableApis(app: OAuthApp, { store }: AuthorizationServer): Promise<ApiResource[]> {
  const own = await store.resourcesOfApp(app);
  const isOwn = ({ id }: ApiResource) => own.some((api) => api.id === id);
  return (await store.resourcesNear(app)).filter((api) => mayRequest(api, { app }) && !isOwn(api));
}

function resourceOfScopes({ resources, allowed_scopes }: OAuthApp, apis: readonly ApiResource[]) {
  const [only, ...others] = apis.filter(({ scopes }) =>
    allowed_scopes.some((scope) => Object.hasOwn(scopes, scope)),
  );
  return resources[0] ?? (others.length === 0 ? only?.identifier : undefined);
}

async function apiOf({ app }: AppState, server: AuthorizationServer): Promise<UsePage["api"]> {
  const [api] = await server.store.resourcesOfApp(app);
  return api === undefined ? "none" : snippetApi(api, [app], server);
}

function endpointsOf(server: AuthorizationServer): UsePage["endpoints"] {
  const { issuer } = server;
  const document = discoveryDocument(server);
  const at = (name: string) => String(document[name]);
  return {
    issuer,
    discovery: `${issuer}/.well-known/openid-configuration`,
    authorization_endpoint: at("authorization_endpoint"),
    token_endpoint: at("token_endpoint"),
    userinfo_endpoint: at("userinfo_endpoint"),
    jwks_uri: at("jwks_uri"),
    introspection_endpoint: at("introspection_endpoint"),
    revocation_endpoint: at("revocation_endpoint"),
    end_session_endpoint: at("end_session_endpoint"),
  };
}

function gapsOf(
  { app, secrets, organization_active }: AppState,
  { machine, proves_keys }: Pick<UsePage["app"], "machine" | "proves_keys">,
  now: Date,
): UsePage["gaps"] {
  const has = (grant: string) => app.allowed_grants.includes(grant);
  const gaps: UsePage["gaps"][number][] = [];
  const state = stateOfApp(app);
  if (state === "revoked") gaps.push("revoked");
  else if (state === "inactive" || !organization_active) gaps.push("inactive");
  if (!has("auth_code") && !has("client_credentials")) gaps.push("no_grants");
  if (has("auth_code") && app.redirect_uris.length === 0) gaps.push("no_redirect_uri");
  if (app.allowed_scopes.length === 0) gaps.push("no_scopes");
  if (has("client_credentials") && app.public) gaps.push("public_machine");
  else if (has("client_credentials") && machine === undefined && app.allowed_scopes.length > 0)
    gaps.push("no_machine_scopes");
  const live = secrets?.some((secret) => stateOfCredential(secret, now) === "active");
  if (hasSecret(app) && live === false) gaps.push("no_secret");
  if (proves_keys) gaps.push("proves_keys");
  if (app.public && has("auth_code")) gaps.push("public");
  return gaps;
}

/** `sign_in` leaves out scopes of the management API, because few apps that sign users in need them. */
function snippetApp(app: OAuthApp, apis: readonly ApiResource[], server: AuthorizationServer): SnippetApp {
  const { issuer } = server;
  const { pushed_requests, bound_tokens, id_token_algorithm } = rulesFor(app, server);
  const { allowed_grants, allowed_scopes, redirect_uris } = app;
  const [post_logout_redirect_uri] = app.post_logout_redirect_uris;
  const scopes = allowed_scopes.filter((scope) => isGrantable(scope) && !managementScopes.includes(scope));
  const isOfApi = (scope: string) => apis.some((api) => Object.hasOwn(api.scopes, scope));
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
    sign_in: signs_in
      ? {
          redirect_uri,
          scope: scopes.filter((scope) => !isOfApi(scope)).join(" "),
          scopes_of_apis: scopes.filter(isOfApi),
          post_logout_redirect_uri,
        }
      : undefined,
    // Management scopes are kept here: a machine client that has them was probably registered to use them.
    machine: is_machine ? { scope: machine_scopes.join(" ") } : undefined,
    resource: resourceOfScopes(app, apis),
  };
}
