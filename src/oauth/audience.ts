/**
 * Whom an access token is for (RFC 9068 2.2, 3) where it names no resource, and what this server itself
 * answers to.
 */
import type { ClientRecord } from "../records/client_record.ts";
import type { ApiResource } from "../records/definition.ts";
import { isReservedScope } from "../records/names.ts";
import { organizationAudience } from "../records/organization_audience.ts";

/**
 * Whether userinfo and the management API take a token of this audience: the scopes in it say which of them.
 */
export function isForThisServer(audience: readonly string[], issuer: string): boolean {
  return audience.includes(issuer);
}

/** An audience, the APIs in it, and where they come from. */
export interface DefaultAudience {
  readonly audience: readonly string[];
  readonly resources: readonly ApiResource[];
  readonly audience_source: "own" | undefined;
}

/**
 * The audience of a token that names no resource, by who acts: a client, or a service account. With an
 * organization it is the APIs that the app itself is, or else the organization's. The issuer is added where
 * the scopes are for this server: `openid` for userinfo, its own for the management API
 * (docs/decisions/0024).
 */
export function defaultAudience(
  { organization, resources = [] }: Pick<ClientRecord, "organization"> & Partial<ClientRecord>,
  scopes: readonly string[],
  { issuer }: { readonly issuer: string },
): DefaultAudience {
  if (organization === undefined) return { audience: [issuer], resources: [], audience_source: undefined };
  const own = resources.filter(({ active }) => active);
  const isOwn = own.length > 0;
  const audience = isOwn ? own.map(({ identifier }) => identifier) : [organizationAudience(organization)];
  const isForUs = scopes.some((scope) => scope === "openid" || isReservedScope(scope));
  return {
    audience: isForUs && !audience.includes(issuer) ? [...audience, issuer] : audience,
    resources: own,
    audience_source: isOwn ? "own" : undefined,
  };
}
