/**
 * Whom an access token is for (RFC 9068 2.2, 3) where it names no resource, and what this server itself
 * answers to.
 */
import type { ClientRecord } from "../records/client_record.ts";
import { ownResources } from "../records/metadata.ts";
import { isReservedScope } from "../records/names.ts";
import { organizationAudience } from "../records/organization_audience.ts";

/**
 * Whether userinfo and the management API take a token of this audience: the scopes in it say which of them.
 */
export function isForThisServer(audience: readonly string[], issuer: string): boolean {
  return audience.includes(issuer);
}

/**
 * The audience of a token that names no resource, by who acts: a client, or a service account. With an
 * organization it is the resource that the app itself is, or else the organization's. The issuer is added
 * where the scopes are for this server: `openid` for userinfo, its own for the management API
 * (docs/decisions/0024).
 */
export function defaultAudience(
  { organization, app }: Pick<ClientRecord, "organization"> & Partial<Pick<ClientRecord, "app">>,
  scopes: readonly string[],
  { issuer }: { readonly issuer: string },
): readonly string[] {
  if (organization === undefined) return [issuer];
  const own = app === undefined ? [] : ownResources(app);
  const audience = own.length > 0 ? [...own] : [organizationAudience(organization)];
  const isForUs = scopes.some((scope) => scope === "openid" || isReservedScope(scope));
  return isForUs && !audience.includes(issuer) ? [...audience, issuer] : audience;
}
