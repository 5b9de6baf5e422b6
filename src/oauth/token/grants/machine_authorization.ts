import type { ClientRecord } from "../../../records/client_record.ts";
import type { Organization } from "../../../records/definition.ts";
import { defaultAudience } from "../../audience.ts";
import { readResource } from "../../authorize/authorization_request.ts";
import type { Params } from "../../params.ts";
import type { AuthorizationServer } from "../../server.ts";
import type { Authorization } from "../authorization.ts";

/**
 * The authorization of a machine without its commit: no user, a family of one token, no refresh token. The
 * audience is the one asked for (RFC 8707), else that of the service account, else that of the client. Throws
 * `invalid_target`.
 */
export function machineAuthorization<C extends ClientRecord>(
  params: Params,
  client: C,
  scopes: readonly string[],
  server: AuthorizationServer,
  account?: { readonly organization: Organization | undefined },
) {
  const resource = readResource(params, client);
  const audience = resource.length > 0 ? resource : defaultAudience(account ?? client, scopes, server);
  const now = server.now();
  return {
    client,
    user: undefined,
    granted_scopes: scopes,
    authorized_scopes: scopes,
    audience,
    authorized_audience: audience,
    family_id: server.store.newId(now),
    refreshable: false,
    family_ends_at: now,
    authentication: undefined,
    nonce: undefined,
    bound_to: null,
  } satisfies Omit<Authorization, "commit">;
}
