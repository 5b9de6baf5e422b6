/**
 * Only a confidential app with a token of its own may manage a stream and receive its events (RFC 6749 4.4).
 */
import type { OAuthApp } from "../../records/definition/definition.ts";
import { signalScopes } from "../../records/names/names.ts";
import { type ClientRecord, isOpenClient, isUsable } from "../../records/rules/client_record.ts";
import type { AuthorizationServer } from "../core/server.ts";
import { proveSenderAtResource, useProofAtResource } from "../dpop/sender.ts";
import { activeToken, findToken, readAccessToken } from "../presented/active_token.ts";
import { refuse } from "../refusals/refuse.ts";
import { isForThisServer } from "../resources/audience.ts";

interface ReceiverRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly dpop: string | undefined;
}

export interface Receiver {
  readonly app: OAuthApp;
  /** Checks the token and its app once more, and throws the same errors as the first check. */
  again(): Promise<OAuthApp>;
}

const isConfidential = (app: OAuthApp): boolean => !app.public && !isOpenClient(app);

/** Returns whether a stream may push now: its app could get a token with which to poll. */
export function mayReceive({ app, organization }: ClientRecord): boolean {
  return (
    isUsable({ app, organization }) &&
    isConfidential(app) &&
    app.allowed_grants.includes("client_credentials") &&
    app.allowed_scopes.includes(signalScopes.manage)
  );
}

/**
 * Returns the app that the access token was issued to. Throws 401 `invalid_token`, and 403
 * `insufficient_scope` unless a confidential app requested the token for itself with a sufficient scope. Also
 * throws what `proveSenderAtResource` throws.
 */
export async function requireReceiver(
  { method, path, authorization, dpop }: ReceiverRequest,
  needs: keyof typeof signalScopes,
  server: AuthorizationServer,
): Promise<Receiver> {
  const presented = authorization === undefined ? undefined : readAccessToken(authorization, server);
  if (presented === undefined) throw refuse("access_token_missing");
  if (presented === "malformed") throw refuse("access_token_malformed");
  const { scheme, text: access_token } = presented;
  const sender = await proveSenderAtResource({ method, path, dpop, access_token }, server);
  const check = async () => {
    const found = await findToken(access_token, server);
    const active =
      found?.half === "access_token" ? await activeToken(found, { scheme, sender }, server) : undefined;
    if (active === undefined) throw refuse("access_token_inactive", { found, server });
    const { row, user, service_account, client } = active;
    const { app } = client;
    if (!isForThisServer(row.audience, server.issuer))
      throw refuse("audience", { received: row.audience, issuer: server.issuer }).about(app);
    // A scope that the app has lost since the token was issued does not count.
    const granted_scopes = row.scopes.filter((scope) => app.allowed_scopes.includes(scope));
    if (!granted_scopes.includes(signalScopes.manage) && !granted_scopes.includes(signalScopes[needs]))
      throw refuse("signal_scope_lacking", { needs, granted_scopes }).about(app);
    if (user !== undefined || service_account !== undefined || !isConfidential(app))
      throw refuse("signal_receiver").about(app);
    return { app, row };
  };
  const { app, row } = await check();
  await useProofAtResource(sender, server);
  server.store.queueUse("oauth_tokens", row.id, server.now());
  return { app, again: async () => (await check()).app };
}
