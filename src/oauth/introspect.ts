/** Token introspection (spec 4.3, RFC 7662). */

import { ownResources } from "../records/metadata.ts";
import { introspectionScope } from "../records/names.ts";
import { readRequestData, type TokenRequestData } from "../records/request_data.ts";
import { authenticateConfidentialClient } from "./client_authentication.ts";
import { findToken, type LiveToken, liveToken } from "./live_token.ts";
import { required } from "./params.ts";
import type { AuthenticatedClient, AuthorizationServer, EndpointRequest } from "./server.ts";

/** Spec 4.3. `username` is the user's e-mail; a token without a user has none. */
export type IntrospectionResponse =
  | { readonly active: false }
  | {
      readonly active: true;
      readonly scope: string;
      readonly client_id: string;
      readonly username?: string;
      readonly token_type: string;
      readonly exp: number;
      readonly iat: number;
      readonly sub: string;
      readonly aud: readonly string[];
    };

const inactive: IntrospectionResponse = { active: false };

/** A token is not written as used more often than this, milliseconds. */
const usePrecision = 60_000;

/** Answers an introspection request. Throws `invalid_client` and `invalid_request`; every other trouble is inactive. */
export async function introspect(
  request: EndpointRequest,
  server: AuthorizationServer,
): Promise<IntrospectionResponse> {
  const caller = await authenticateConfidentialClient(request, server);
  const found = await findToken(required(request.params, "token"), server);
  const live = found && (await liveToken(found, server));
  const visible = live !== undefined && maySee(caller, live, server.issuer);
  server.report({
    type: "introspection",
    outcome: visible ? "success" : "failure",
    actor: { kind: "client", id: caller.app.client_id },
    requester: request.requester,
  });
  if (!visible) return inactive;
  const { row, half, client, user, expires_at } = live;
  const now = server.now();
  if (row.last_used_at === null || now.getTime() - row.last_used_at.getTime() > usePrecision) {
    server.store.noteUse("oauth_tokens", row.id, now);
  }
  return {
    active: true,
    scope:
      half === "access_token"
        ? row.scopes.join(" ")
        : readRequestData<TokenRequestData>(row.request_data).scope,
    client_id: client.app.client_id,
    ...(user !== undefined && { username: user.email }),
    token_type: half === "access_token" ? "Bearer" : "refresh_token",
    exp: Math.floor(expires_at.getTime() / 1000),
    iat: Math.floor(row.created_at.getTime() / 1000),
    sub: row.user_id ?? row.service_account_id ?? row.app_id,
    aud: row.audience,
  };
}

/**
 * Who may see what of a token (design 6.7). The issuer is the audience of every token that names no resource: it is this
 * server, and no app that calls itself so sees them all.
 */
function maySee({ app }: AuthenticatedClient, { half, row, client }: LiveToken, issuer: string): boolean {
  if (row.app_id === app.id) return true;
  if (half === "refresh_token") return false;
  if (ownResources(app).some((uri) => uri !== issuer && row.audience.includes(uri))) return true;
  return (
    app.allowed_scopes.includes(introspectionScope) && client.app.organization_id === app.organization_id
  );
}
