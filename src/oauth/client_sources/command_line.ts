/**
 * The command line as a client (RFC 8252, docs/decisions/command-line.md): `postern login` signs a user in
 * through the browser.
 */

import type { OAuthApp } from "../../records/definition/definition.ts";
import { managementScopes, manageScope, readScope } from "../../records/definition/permissions.ts";
import { commandLineClientId } from "../../records/names/names.ts";
import type { ClientRecord } from "../../records/rules/client_record.ts";
import { offersFeature, usableMethods } from "../core/rules_for.ts";
import type { AuthorizationServer } from "../core/server.ts";
import { type BuiltInApp, makeBuiltInApp } from "./built_in_app.ts";
import type { ClientSource } from "./client_source.ts";

/** The stored record of the command line's client cannot change these properties. */
const fixed = {
  app_type: "native",
  public: true,
  // Any program on the device may listen on loopback, so the user must consent each time (RFC 8252 8.6).
  first_party: false,
  // With these two hosts, any port matches (RFC 8252 7.3).
  redirect_uris: ["http://127.0.0.1/callback", "http://[::1]/callback"],
  allowed_grants: ["auth_code", "refresh"],
  allowed_response_types: ["code"],
  refresh_token_rotation: true,
  // Concurrent commands share one token file, so two of them may refresh the same token
  // (docs/decisions/tokens.md).
  metadata: { refresh_reuse_window: 60 },
  token_endpoint_auth_method: null,
  default_scopes: null,
  resources: [],
  localhost_any_port: false,
  dpop_bound_access_tokens: false,
  dpop_bound_refresh_tokens: false,
} as const satisfies Partial<OAuthApp>;

const app: BuiltInApp = {
  ...fixed,
  client_id: commandLineClientId,
  name: "Postern command line",
  description: "Lets you manage this server from a terminal",
  allowed_scopes: [manageScope, readScope],
};

/** A profile may forbid the method `none`, which a public client such as the command line uses. */
function offersCommandLine(server: AuthorizationServer): boolean {
  return offersFeature(server, "cli") && usableMethods(server).some(({ name }) => name === "none");
}

export const commandLine: ClientSource = {
  name: "command_line",

  owns: async (client_id) => client_id === commandLineClientId,

  async find(client_id, lookUp, server) {
    if (!offersCommandLine(server)) return undefined;
    const { store } = server;
    let client = await store.findClient(client_id);
    if (client === undefined && lookUp.for === "authorize") {
      await makeBuiltInApp(app, server, lookUp.origin);
      client = await store.findClient(client_id);
    }
    return client && asFixed(client);
  },

  keep: async (client) => client,

  metadata: (server) => (offersCommandLine(server) ? { postern_cli_client_id: commandLineClientId } : {}),
};

/**
 * Administrators may remove management scopes from the client's record, but other scopes that they add have
 * no effect.
 */
function asFixed(client: ClientRecord): ClientRecord {
  const allowed_scopes = client.app.allowed_scopes.filter((name) => managementScopes.includes(name));
  return { ...client, secrets: [], app: { ...client.app, ...fixed, allowed_scopes } };
}
