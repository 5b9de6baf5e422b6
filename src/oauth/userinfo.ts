/** UserInfo (OpenID Connect Core 5.3) for the bearer of an access token of this server (RFC 6750). */
import type { RequestOrigin } from "../records/definition/request_origin.ts";
import type { Params } from "./core/params.ts";
import type { AuthorizationServer } from "./core/server.ts";
import { proveSenderAtResource, useProofAtResource } from "./dpop/sender.ts";
import { recordClaims } from "./organizations/claims.ts";
import { activeToken, findToken, type PresentedToken, readAccessToken } from "./presented/active_token.ts";
import { refuse } from "./refusals/refuse.ts";
import { isForThisServer } from "./resources/audience.ts";
import { userClaims } from "./token/id_token.ts";

export interface UserinfoRequest {
  readonly method: string;
  readonly authorization: string | undefined;
  readonly dpop?: string | undefined;
  readonly params: Params | undefined;
  readonly origin: RequestOrigin;
}

/**
 * Returns the claims about the token's user. Throws `invalid_token`, `insufficient_scope`, `invalid_request`,
 * and what `proveSenderAtResource` throws.
 */
export async function userinfo(
  request: UserinfoRequest,
  server: AuthorizationServer,
): Promise<Record<string, unknown>> {
  const { scheme, text: access_token } = presentedToken(request, server);
  const { method, dpop } = request;
  const sender = await proveSenderAtResource({ method, path: "/oauth/userinfo", dpop, access_token }, server);
  const found = await findToken(access_token, server);
  const live =
    found?.half === "access_token" ? await activeToken(found, { scheme, sender }, server) : undefined;
  if (live === undefined) {
    // Finding the app's organization would take another look-up.
    const app = found && { id: found.row.app_id, organization_id: null };
    throw refuse("access_token_inactive", { found, server }).about(app);
  }
  const { row, user, member, client } = live;
  // A token without `openid` usually has another audience, too, but the missing scope is the reason to
  // report.
  if (user === undefined || !row.scopes.includes("openid")) {
    throw refuse("openid_lacking", { granted_scopes: row.scopes }).about(client.app);
  }
  // A token for another resource is refused here, although this server issued it (RFC 9068 4, RFC 8707 2).
  if (!isForThisServer(row.audience, server.issuer)) {
    throw refuse("audience", { received: row.audience, issuer: server.issuer }).about(client.app);
  }
  await useProofAtResource(sender, server);
  server.store.queueUse("oauth_tokens", row.id, server.now());
  return {
    sub: user.id,
    ...userClaims(row.scopes, user),
    ...(await recordClaims(
      { user, member, scopes: row.scopes, app: client.app, resources: [], audience: row.audience },
      "userinfo",
      server,
    )),
  };
}

/** A token in the query is never read (RFC 6750 2). */
function presentedToken(
  { authorization, params }: UserinfoRequest,
  server: AuthorizationServer,
): PresentedToken {
  const inForm = params?.get("access_token");
  if (params?.repeated !== undefined) throw refuse("userinfo_parameter_repeated", { name: params.repeated });
  if (authorization === undefined) {
    if (inForm === undefined) throw refuse("access_token_missing");
    return { scheme: "Bearer", text: inForm };
  }
  if (inForm !== undefined) throw refuse("access_token_in_two_ways");
  const presented = readAccessToken(authorization, server);
  if (presented === undefined) throw refuse("access_token_missing");
  if (presented === "malformed") throw refuse("access_token_malformed");
  return presented;
}
