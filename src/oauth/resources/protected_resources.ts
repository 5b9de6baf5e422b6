/** This server as a protected resource that accepts its own access tokens (RFC 9728). */

import type { ApiResource } from "../../records/definition/definition.ts";
import { managementScopes, readScope } from "../../records/definition/permissions.ts";
import { introspectionScope } from "../../records/names/names.ts";
import { demandsOnAll } from "../../records/names/profiles.ts";
import { identifierKey } from "../../records/names/resource_identifiers.ts";
import { describesItself, offersFeature } from "../core/rules_for.ts";
import type { AuthorizationServer } from "../core/server.ts";
import { dpopAlgorithms } from "../dpop/proof.ts";

interface ProtectedResource {
  /** The part of the resource's identifier after the issuer. */
  readonly path: "" | "/api/v1";
  readonly name: string;
  readonly documentation?: string;
  /**
   * A client without further knowledge requests all of these scopes, so they are the smallest useful set. A
   * refusal names the further scopes that an operation needs (RFC 6750 3.1).
   */
  readonly scopes: readonly string[];
}

const management: ProtectedResource = {
  path: "/api/v1",
  name: "Management API",
  documentation: "/api/docs",
  scopes: [readScope],
};

const wholeServer: ProtectedResource = { path: "", name: "UserInfo", scopes: ["openid", "profile", "email"] };

export const protectedResources: readonly ProtectedResource[] = [wholeServer, management];

export function resourceAt(path: string): ProtectedResource {
  return path === management.path || path.startsWith(`${management.path}/`) ? management : wholeServer;
}

const wellKnown = "/.well-known/oauth-protected-resource";

/** Returns the path of the metadata: the well-known part precedes the path of the resource (RFC 9728 3.1). */
export const metadataPath = ({ path }: ProtectedResource): string => `${wellKnown}${path}`;

export function metadataAddress(
  resource: ProtectedResource,
  { issuer }: Pick<AuthorizationServer, "issuer">,
): string {
  return `${issuer}${metadataPath(resource)}`;
}

/**
 * Returns the metadata of RFC 9728 2. `offline_access` is left out, because it is not a scope of a resource.
 */
export function protectedResourceDocument(
  { path, name, documentation, scopes }: ProtectedResource,
  server: AuthorizationServer,
): Record<string, unknown> {
  const { issuer } = server;
  return {
    resource: `${issuer}${path}`,
    authorization_servers: [issuer],
    scopes_supported: [...scopes],
    bearer_methods_supported: ["header"],
    resource_name: name,
    ...(documentation !== undefined && { resource_documentation: `${issuer}${documentation}` }),
    ...(offersFeature(server, "dpop") && {
      dpop_signing_alg_values_supported: dpopAlgorithms(demandsOnAll(server.settings)),
      dpop_bound_access_tokens_required: demandsOnAll(server.settings).bound_tokens,
    }),
  };
}

const ownScopes = [...managementScopes, introspectionScope];

/**
 * Returns this server as an API that registered apps may request; undefined unless it publishes resource
 * metadata. UserInfo and the management API have the same audience; the scopes distinguish them.
 */
export function ownApi({
  issuer,
  settings,
}: Pick<AuthorizationServer, "issuer" | "settings">): ApiResource | undefined {
  if (!describesItself({ settings })) return undefined;
  const since = new Date(0);
  return {
    id: "",
    identifier: issuer,
    name: management.name,
    description: null,
    organization_id: null,
    scopes: Object.fromEntries(ownScopes.map((scope) => [scope, null])),
    default_scopes: [],
    who_may_ask: "registered",
    app_ids: [],
    claims: null,
    access_token_signing_alg: null,
    dpop_bound_access_tokens_required: false,
    trailing_slash_alias: false,
    role_bound: false,
    sign_in_claims: false,
    active: true,
    created_at: since,
    updated_at: since,
    identifier_key: identifierKey(issuer) ?? null,
  };
}

/** Returns whether a URL denotes one of this server's resources, in any spelling (RFC 3986 6.2). */
export function isOwnIdentifier(spelling: string, { issuer }: Pick<AuthorizationServer, "issuer">): boolean {
  const key = identifierKey(spelling);
  return (
    key !== undefined && protectedResources.some(({ path }) => identifierKey(`${issuer}${path}`) === key)
  );
}
