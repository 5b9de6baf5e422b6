/** The page that says how an app is used from code: the first one that its creator sees. */
import { type AppState, appState } from "../../admin/reports/app_state.ts";
import type { AuthorizationServer } from "../../oauth/core/server.ts";
import { discoveryDocument } from "../../oauth/discovery_document.ts";
import { stateOfApp, stateOfCredential } from "../../records/names/liveness.ts";
import { hasSecret } from "../../records/rules/client_record.ts";
import type { Html } from "../../web/html/html.ts";
import type { ConsolePerson } from "../frame/viewer.http.ts";
import { appHead } from "./app_checks.http.ts";
import { snippetApi } from "./snippet_api.http.ts";
import { snippetApp } from "./snippet_app.http.ts";
import { type UsePage, usePage } from "./use.page.ts";

/**
 * The page of the app of this id. `created` says that it was created just now. Throws 403 `forbidden`, 404
 * `not_found`.
 */
export async function appQuickstart(
  { admin, page }: Pick<ConsolePerson, "admin" | "page">,
  id: string,
  server: AuthorizationServer,
  created?: UsePage["created"],
): Promise<Html> {
  const state = await appState(admin, id, "apps:read");
  const { app } = state;
  const shown = { ...snippetApp(app, server), ...appHead(state, server) };
  const gaps = gapsOf(state, shown, server.now());
  const endpoints = endpointsOf(server);
  const api = app.app_type === "service" ? await apiOf(state, server) : undefined;
  return usePage({ ...page, app: shown, gaps, endpoints, api, created });
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

/** What an app lacks to run what is shown of it. */
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
