/** This server as a resource: what takes its own access tokens, described as RFC 9728 has it. */
import { readScope } from "../records/permissions.ts";
import { demandsOnAll } from "../records/profiles.ts";
import { offersFeature } from "./offered.ts";
import { dpopAlgorithms } from "./sender_constraints/dpop.ts";
import type { AuthorizationServer } from "./server.ts";

/** A part of this server that takes access tokens. */
export interface ProtectedResource {
  /** What follows the issuer in its identifier. */
  readonly path: "" | "/api/v1";
  readonly name: string;
  /** What follows the issuer in the address of its documentation. */
  readonly documentation?: string;
  /**
   * The scopes to begin with: a client that knows nothing else asks for them all, so they are the fewest that
   * are good for anything. What more an operation needs, its refusal says (RFC 6750 3.1).
   */
  readonly scopes: readonly string[];
}

const management: ProtectedResource = {
  path: "/api/v1",
  name: "Management API",
  documentation: "/api/docs",
  scopes: [readScope],
};

/** UserInfo, and this server as a whole. */
const wholeServer: ProtectedResource = { path: "", name: "UserInfo", scopes: ["openid", "profile", "email"] };

export const protectedResources: readonly ProtectedResource[] = [wholeServer, management];

/** The resource that a path of this server belongs to. */
export function resourceAt(path: string): ProtectedResource {
  return path === management.path || path.startsWith(`${management.path}/`) ? management : wholeServer;
}

const wellKnown = "/.well-known/oauth-protected-resource";

/** The path of the metadata: the well-known part stands before the path of the resource (RFC 9728 3.1). */
export const metadataPath = ({ path }: ProtectedResource): string => `${wellKnown}${path}`;

export function metadataAddress(
  resource: ProtectedResource,
  { issuer }: Pick<AuthorizationServer, "issuer">,
): string {
  return `${issuer}${metadataPath(resource)}`;
}

/** RFC 9728 2. `offline_access` is no scope of a resource: the client decides on it. */
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
