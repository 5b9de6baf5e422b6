/** The initial access token of a registration is an API key or access token of this server (RFC 7591 3). */

import { registrationScope } from "../../records/definition/permissions.ts";
import type { RequestOrigin } from "../../records/definition/request_origin.ts";
import type { AuthorizationServer } from "../core/server.ts";
import { proveSenderAtResource, useProofAtResource } from "../dpop/sender.ts";
import { activeApiKey } from "../presented/active_api_key.ts";
import { activeToken, findToken, readAccessToken } from "../presented/active_token.ts";
import { refuse } from "../refusals/refuse.ts";
import { isForThisServer } from "../resources/audience.ts";

export interface RegistrationRequest {
  readonly authorization: string | undefined;
  readonly dpop: string | undefined;
  readonly origin: RequestOrigin;
}

interface Holder {
  readonly scopes: readonly string[];
  readonly user: { readonly is_platform_admin: boolean } | undefined;
}

/**
 * Throws 401 `invalid_token` if the credential is not valid, and 403 `insufficient_scope` if it lacks
 * `postern:register`. A user's credential is accepted only if the user is a platform administrator. Also
 * throws what `proveSenderAtResource` throws.
 */
export async function requireInitialAccess(
  { authorization, dpop }: RegistrationRequest,
  server: AuthorizationServer,
): Promise<void> {
  const presented = authorization === undefined ? undefined : readAccessToken(authorization, server);
  if (presented === undefined) throw refuse("access_token_missing");
  if (presented === "malformed") throw refuse("access_token_malformed");
  const { scheme, text } = presented;
  const key = scheme === "Bearer" ? await keyHolder(text, server) : undefined;
  const holder = key ?? (await tokenHolder(text, scheme, dpop, server));
  const isAdministered = holder.user?.is_platform_admin ?? true;
  if (!holder.scopes.includes(registrationScope) || !isAdministered) {
    throw refuse("registration_scope_lacking", { granted_scopes: holder.scopes });
  }
}

async function keyHolder(text: string, server: AuthorizationServer): Promise<Holder | undefined> {
  const active = await activeApiKey(text, server);
  if (active === undefined) return undefined;
  server.store.queueUse("api_keys", active.key.id, server.now());
  return { scopes: active.key.scopes, user: active.user };
}

async function tokenHolder(
  access_token: string,
  scheme: "Bearer" | "DPoP",
  dpop: string | undefined,
  server: AuthorizationServer,
): Promise<Holder> {
  const proof = { method: "POST", path: "/oauth/register", dpop, access_token };
  const sender = await proveSenderAtResource(proof, server);
  const found = await findToken(access_token, server);
  const active =
    found?.half === "access_token" ? await activeToken(found, { scheme, sender }, server) : undefined;
  if (active === undefined) throw refuse("access_token_inactive", { found, server });
  const { row, user, client } = active;
  if (!isForThisServer(row.audience, server.issuer)) {
    throw refuse("audience", { received: row.audience, issuer: server.issuer }).about(client.app);
  }
  await useProofAtResource(sender, server);
  server.store.queueUse("oauth_tokens", row.id, server.now());
  return { scopes: row.scopes, user };
}
