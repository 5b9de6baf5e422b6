/** Introspection of tokens (spec 4.3, RFC 7662) and of API keys. */

import { apiKeyPrefix } from "../crypto/api_keys.ts";
import { introspectionScope } from "../records/names/names.ts";
import { readRequestData, type TokenRequestData } from "../records/names/request_data.ts";
import { vouchedScopes } from "../records/rules/scope_owners.ts";
import { authenticateConfidentialClient } from "./clients/client_authentication.ts";
import { type BoundKey, onlyPassword, type TokenType } from "./core/authorization.ts";
import { required } from "./core/params.ts";
import { exposesAuthentication } from "./core/rules_for.ts";
import type { AuthenticatedClient, AuthorizationServer, EndpointRequest } from "./core/server.ts";
import { tokenTypeOf } from "./dpop/sender.ts";
import { recordClaims } from "./organizations/claims.ts";
import { scopesOfRoles } from "./organizations/context.ts";
import { activeApiKey, maySeeApiKey } from "./presented/active_api_key.ts";
import { type ActiveToken, activeToken, findToken } from "./presented/active_token.ts";
import { liveAudience } from "./resources/audience.ts";

/**
 * The response of spec 4.3. `username` is the user's email. The `sub` of an API key is the ID of its user or
 * organization.
 */
export type IntrospectionResponse =
  | { readonly active: false }
  | {
      readonly active: true;
      readonly scope: string;
      readonly username?: string;
      readonly token_type: "api_key";
      readonly exp?: number;
      readonly iat: number;
      readonly sub: string;
    }
  | {
      readonly active: true;
      readonly scope: string;
      readonly client_id: string;
      readonly username?: string;
      readonly token_type: TokenType | "refresh_token";
      readonly exp: number;
      readonly iat: number;
      readonly sub: string;
      readonly aud: readonly string[];
      readonly cnf?: BoundKey;
      readonly acr?: string;
      readonly amr?: readonly string[];
      /** Unix time in seconds. */
      readonly auth_time?: number;
      /** Set only if the access token is for an organization (OC-3). */
      readonly organization?: unknown;
      readonly roles?: unknown;
      readonly groups?: unknown;
      readonly permissions?: unknown;
    };

const inactive: IntrospectionResponse = { active: false };

/**
 * Milliseconds. Clients introspect the same credential repeatedly, so its use is written at most once in this
 * time.
 */
const usePrecision = 60_000;

/**
 * Answers an introspection request. Throws as `authenticateConfidentialClient` does, and `invalid_request`
 * without a token. A token that the caller may not see yields `active: false`.
 */
export async function introspect(
  request: EndpointRequest,
  server: AuthorizationServer,
): Promise<IntrospectionResponse> {
  const caller = await authenticateConfidentialClient(request, server);
  const presented = required(request.params, "token");
  const answer = presented.startsWith(apiKeyPrefix)
    ? await answerOnApiKey(presented, caller, server)
    : await answerOnToken(presented, caller, server);
  server.report({
    type: "introspection",
    outcome: answer.active ? "success" : "failure",
    actor: { kind: "client", id: caller.app.client_id },
    origin: request.origin,
  });
  return answer;
}

function queueUse(
  table: "oauth_tokens" | "api_keys",
  { id, last_used_at }: { id: string; last_used_at: Date | null },
  { store, now }: AuthorizationServer,
): void {
  const at = now();
  if (last_used_at === null || at.getTime() - last_used_at.getTime() > usePrecision)
    store.queueUse(table, id, at);
}

async function answerOnApiKey(
  presented: string,
  caller: AuthenticatedClient,
  server: AuthorizationServer,
): Promise<IntrospectionResponse> {
  const live = await activeApiKey(presented, server);
  if (live === undefined || !(await maySeeApiKey(caller, live, server))) return inactive;
  const { key, user } = live;
  queueUse("api_keys", key, server);
  return {
    active: true,
    scope: vouchedScopes(key, caller.app.organization_id).join(" "),
    ...(user !== undefined && { username: user.email }),
    token_type: "api_key",
    ...(key.expires_at !== null && { exp: Math.floor(key.expires_at.getTime() / 1000) }),
    iat: Math.floor(key.created_at.getTime() / 1000),
    sub: (user ?? live.organization).id,
  };
}

async function answerOnToken(
  presented: string,
  caller: AuthenticatedClient,
  server: AuthorizationServer,
): Promise<IntrospectionResponse> {
  const found = await findToken(presented, server);
  const live = found && (await activeToken(found, "asked_about", server));
  if (live === undefined || !maySee(caller, live, server.issuer)) return inactive;
  const { row, half, client, user, member, service_account, expires_at } = live;
  const data = readRequestData<TokenRequestData>(row.request_data);
  const { audience, resources } = await liveAudience(
    { authorized: row.audience, source: data.audience_source, created_at: row.created_at },
    [client.organization, service_account?.organization],
    () => true,
    server,
  );
  if (audience.length === 0 && row.audience.length > 0) return inactive;
  queueUse("oauth_tokens", row, server);
  const { app } = client;
  const scopes = user === undefined ? row.scopes : scopesOfRoles(row.scopes, { resources, member, app });
  return {
    active: true,
    scope: half === "access_token" ? scopes.join(" ") : data.scope,
    client_id: client.app.client_id,
    ...(user !== undefined && { username: user.email }),
    token_type: half === "access_token" ? tokenTypeOf(row.cnf) : "refresh_token",
    exp: Math.floor(expires_at.getTime() / 1000),
    iat: Math.floor(row.created_at.getTime() / 1000),
    sub: row.user_id ?? row.service_account_id ?? row.app_id,
    aud: audience,
    ...(half === "access_token" && row.cnf !== null && { cnf: row.cnf }),
    ...(half === "access_token" && exposesAuthentication({ audience, resources }, server) && signInOf(data)),
    ...(half === "access_token" &&
      (await recordClaims(
        { user, member, scopes, app, resources, audience, others: [service_account, caller.app] },
        "introspection",
        server,
      ))),
  };
}

function signInOf({ auth_time, acr, amr = onlyPassword }: TokenRequestData) {
  return acr === undefined ? {} : { acr, amr, ...(auth_time !== undefined && { auth_time }) };
}

/**
 * Whether the caller may see the token (design 6.7). The issuer is in the audience of many apps' tokens, so
 * an API whose identifier is the issuer gives its app no access to them. An API gives no access to tokens
 * from before its creation either, because a deleted API may have had the same identifier.
 */
function maySee({ app, resources }: AuthenticatedClient, live: ActiveToken, issuer: string): boolean {
  const { half, row, client, service_account } = live;
  if (row.app_id === app.id) return true;
  if (half === "refresh_token") return false;
  const isOfOwnApi = resources.some(
    ({ identifier, active, created_at }) =>
      active && identifier !== issuer && created_at <= row.created_at && row.audience.includes(identifier),
  );
  if (isOfOwnApi) return true;
  if (!app.allowed_scopes.includes(introspectionScope)) return false;
  // An app of another organization, or of none, may have got the token for a service account, so the
  // account's organization counts too.
  return [client.app.organization_id, service_account?.organization_id].includes(app.organization_id);
}
