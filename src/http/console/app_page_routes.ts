/** What an app's developer needs beside its record: snippets, a playground, risky settings. */

import type { FastifyInstance } from "fastify";
import { risksOf } from "../../admin/app_risks.ts";
import { profileMisfits } from "../../admin/profile_misfits.ts";
import { type AppState, appState } from "../../admin/reports/app_state.ts";
import { discoveryDocument } from "../../oauth/discovery_document.ts";
import { hasSecret } from "../../records/has_secret.ts";
import { stateOfApp, stateOfCredential } from "../../records/liveness.ts";
import { demandsMade, demandsOn } from "../../records/profiles.ts";
import { checksPage } from "../../web/console/checks_page.ts";
import { type UsePage, usePage } from "../../web/console/use_page.ts";
import type { HttpContext } from "../context.ts";
import { sendPage } from "../page.ts";
import { playgroundRoutes } from "./playground_routes.ts";
import { snippetApp } from "./snippet_app.ts";
import { consolePages } from "./viewer.ts";

export function appPageRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = consolePages(app, context);
  const { server } = context;
  const { issuer } = server;

  pages.get("/console/apps/:id/use", async ({ admin, page, id }, _request, reply) => {
    const state = await appState(admin, id, "apps:read");
    const shown = { ...snippetApp(state.app, server), id: state.app.id, name: state.app.name };
    const gaps = gapsOf(state, shown, server.now());
    return sendPage(reply, usePage({ ...page, app: shown, gaps, endpoints: endpointsOf() }));
  });

  function endpointsOf(): UsePage["endpoints"] {
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

  pages.get("/console/apps/:id/checks", async ({ admin, page, id }, _request, reply) => {
    const { app: record, secrets, ...around } = await appState(admin, id, "apps:read");
    const { settings: switches } = server;
    const risks = risksOf(record, secrets, { ...around, issuer, now: server.now(), switches });
    const demands = demandsMade(demandsOn(record, switches));
    const misfits = profileMisfits(record, switches);
    const secrets_seen = secrets !== undefined;
    return sendPage(reply, checksPage({ ...page, app: record, risks, secrets_seen, demands, misfits }));
  });

  playgroundRoutes(app, context);
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
