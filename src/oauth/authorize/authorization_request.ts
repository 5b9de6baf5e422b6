/**
 * Reads authorization requests: verifies first the client, then what it requests (spec 4.1, RFC 6749 4.1.1,
 * OpenID Connect Core 3.1.2.1).
 */
import { decodeBase64url } from "../../crypto/digest.ts";
import type { ApiResource, OAuthApp } from "../../records/definition/definition.ts";
import { isSecureRedirect } from "../../records/formats/redirect_uris.ts";
import { type ClientRecord, isUsable } from "../../records/rules/client_record.ts";
import { findNamedClient, keepClient } from "../client_sources/all_client_sources.ts";
import type { LookUp, Requester } from "../client_sources/client_source.ts";
import type { Params } from "../core/params.ts";
import { readChallenge } from "../core/pkce.ts";
import { isRegistered } from "../core/redirect_uri.ts";
import { offersFeature, rulesFor } from "../core/rules_for.ts";
import type { AuthorizationServer } from "../core/server.ts";
import { namedOrganization } from "../organizations/context.ts";
import { refuse } from "../refusals/refuse.ts";
import { notePassedOver, readAccess, refuseScopesBeyond } from "../resources/requested.ts";
import type { IdentifiedClient } from "./identified_client.ts";
import { isOpenPlaygroundCallback } from "./playground_callback.ts";
import { checkRequest } from "./request_checks.ts";

export interface AuthorizationRequest {
  readonly client: ClientRecord;
  readonly redirect_uri: string;
  readonly requested_scopes: readonly string[];
  readonly state: string | undefined;
  readonly nonce: string | undefined;
  readonly code_challenge: string | undefined;
  /** The APIs named in `resource` (RFC 8707); if none is named, those that the request implies, if any. */
  readonly resources: readonly ApiResource[];
  /** Thumbprint of the DPoP key to which the code is bound (RFC 9449 10). */
  readonly dpop_jkt: string | undefined;
  readonly organization: string | undefined;
  readonly params: Params;
}

/**
 * Returns the verified client and redirect URI of a request. Throws an `OAuthError` that must be shown to the
 * user, because no redirect is safe before both are verified (RFC 6749 4.1.2.1, A-5 to A-8).
 */
export async function identifyClient(
  params: Params,
  lookUp: LookUp,
  server: AuthorizationServer,
): Promise<IdentifiedClient> {
  const client = await namedClient(params, lookUp, server);
  const { app } = client;
  const redirect_uri = requiredOnce(params, "redirect_uri", app);
  const { https_only, any_port } = rulesFor(app, server).redirect_uris;
  if (https_only && !isSecureRedirect(redirect_uri)) {
    throw refuse("redirect_uri_insecure", { redirect_uri, app }).about(app);
  }
  const isKnown =
    isRegistered(redirect_uri, app.redirect_uris, any_port) ||
    (await isOpenPlaygroundCallback(redirect_uri, app, server));
  if (!isKnown) throw refuse("redirect_uri", { redirect_uri, app }).about(app);
  return { client, redirect_uri, params };
}

/**
 * Stores the client if only its metadata document was known, and returns the request with the stored client.
 * Call this only for a signed-in user. Throws as `identifyClient` does.
 */
export async function keepIdentified(
  identified: IdentifiedClient,
  requester: Requester,
  server: AuthorizationServer,
): Promise<IdentifiedClient> {
  if (!identified.client.app.unstored) return identified;
  return { ...identified, client: await keepClient(identified.client, requester, server) };
}

export async function namedClient(
  params: Params,
  lookUp: LookUp,
  server: AuthorizationServer,
): Promise<ClientRecord> {
  const client_id = requiredOnce(params, "client_id");
  const client = await findNamedClient(client_id, lookUp, server);
  if (client === undefined) throw refuse("client_id", { client_id });
  if (!isUsable(client)) throw refuse("client_inactive", client).about(client.app);
  return client;
}

/**
 * Returns a required parameter. If it is missing or repeated, throws an `OAuthError` that is shown to the
 * user, because no redirect is safe without the parameter.
 */
export function requiredOnce(params: Params, name: string, app?: OAuthApp): string {
  const value = params.get(name);
  if (value !== undefined) return value;
  const times = params.pairs.filter(([sent]) => sent === name).length;
  throw refuse(times > 1 ? "identifying_parameter_repeated" : "parameter_missing", { name, times }).about(
    app,
  );
}

/**
 * Checks and parses a request whose client and redirect URI are verified (spec 4.1). Throws an `OAuthError`;
 * the authorization endpoint sends it to the client.
 */
export async function readRequest(
  identified: IdentifiedClient,
  server: AuthorizationServer,
  at: Parameters<typeof checkRequest>[2],
): Promise<AuthorizationRequest> {
  checkRequest(identified, server, at);
  const { client, redirect_uri, params } = identified;
  const { app } = client;
  const organization = namedOrganization(params, app);
  const access = await readAccess(params, client, server);
  const { requested_scopes, resources } = access;
  // The ignored scopes of a pushed request are recorded only at the authorization endpoint, because anyone
  // can push a request for a public client.
  if (at !== "push") await notePassedOver(access, client, server);
  const code_challenge = readChallenge(params, rulesFor(app, server).pkce);
  refuseScopesBeyond(requested_scopes, resources, app);
  return {
    client,
    redirect_uri,
    requested_scopes,
    state: params.get("state"),
    nonce: params.get("nonce"),
    code_challenge,
    resources,
    dpop_jkt: offersFeature(server, "dpop") ? readKeyBinding(params) : undefined,
    organization,
    params,
  };
}

function readKeyBinding(params: Params): string | undefined {
  const thumbprint = params.get("dpop_jkt");
  if (thumbprint === undefined || decodeBase64url(thumbprint)?.length === 32) return thumbprint;
  throw refuse("dpop_jkt", { received: thumbprint });
}
