import type { Organization } from "../../../records/definition/definition.ts";
import type { ClientRecord } from "../../../records/rules/client_record.ts";
import type { Authorization } from "../../core/authorization.ts";
import type { Params } from "../../core/params.ts";
import { confidentialMethods } from "../../core/rules_for.ts";
import type { AuthorizationServer, Grant } from "../../core/server.ts";
import { refuse } from "../../refusals/refuse.ts";
import { defaultAudience } from "../../resources/audience.ts";
import {
  machineDefaultScopes,
  narrowScopes,
  readResources,
  readScopes,
  refuseScopesBeyond,
  refuseUserScopes,
  scopesWithin,
} from "../../resources/requested.ts";
import { machineScopesAt } from "../../resources/who_may_ask.ts";

/** The client acts for itself (RFC 6749 4.4). */
export const clientCredentials: Grant = {
  grant_type: "client_credentials",
  allowed_as: "client_credentials",
  statistic: "tokens_machine",
  replay_event: undefined,
  async validate(params, client, server) {
    if (client.app.public) {
      const methods = confidentialMethods(server);
      throw refuse("client_credentials_of_none", { method: client.method, methods });
    }
    const { app, proof } = client;
    const requested = params.get("scope");
    const scopes =
      requested === undefined
        ? machineDefaultScopes(app, app.allowed_scopes)
        : narrowScopes(readScopes(requested), app.allowed_scopes);
    refuseUserScopes(scopes);
    return {
      ...(await machineAuthorization(params, client, scopes, server)),
      commit: { kind: "insert", proof },
    };
  },
};

/**
 * Returns the authorization of a client or service account that acts for itself, for the requested audience
 * (RFC 8707) or the default one. Throws `invalid_target`, `invalid_scope`.
 */
export async function machineAuthorization<C extends ClientRecord>(
  params: Params,
  client: C,
  allowed: readonly string[],
  server: AuthorizationServer,
  account?: { readonly organization: Organization | undefined },
) {
  const requester = { app: client.app, account };
  const requested = await readResources(params, requester, server);
  const within = scopesWithin(allowed, requested);
  if (params.get("scope") !== undefined || within.length === 0) refuseScopesBeyond(allowed, requested);
  const scopes = requested.length > 0 ? machineScopesAt(within, requested, requester) : allowed;
  const refused = within.find((name) => !scopes.includes(name));
  if (refused !== undefined && (params.get("scope") !== undefined || scopes.length === 0)) {
    throw refuse("scope_not_allowed", { scope: refused, requested: within, allowed: scopes });
  }
  const { audience, resources, audience_source } =
    requested.length > 0
      ? ({
          audience: requested.map(({ identifier }) => identifier),
          resources: requested,
          audience_source: "asked",
        } as const)
      : defaultAudience(account ?? client, scopes, server);
  const now = server.now();
  return {
    client,
    user: undefined,
    granted_scopes: scopes,
    authorized_scopes: scopes,
    audience,
    resources,
    audience_source,
    authorized_audience: audience,
    family_id: server.store.newId(now),
    refreshable: false,
    family_ends_at: now,
    authentication: undefined,
    nonce: undefined,
    bound_to: null,
  } satisfies Omit<Authorization, "commit">;
}
