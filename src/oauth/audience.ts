/** Whom an access token is for (RFC 9068 2.2, 3) where it names no resource, and what this server itself answers to. */
import type { ClientRecord } from "../records/client_record.ts";
import { ownResources } from "../records/metadata.ts";
import { isReservedScope } from "../records/names.ts";
import { organizationAudience } from "../records/organization_audience.ts";

const userinfoOf = (issuer: string) => `${issuer}/oauth/userinfo`;
const managementOf = (issuer: string) => `${issuer}/api/v1`;

/** Whether userinfo takes a token of this audience. */
export function isForUserinfo(audience: readonly string[], issuer: string): boolean {
  return audience.includes(issuer) || audience.includes(userinfoOf(issuer));
}

/** Whether the management API takes a token of this audience. */
export function isForManagement(audience: readonly string[], issuer: string): boolean {
  return audience.includes(issuer) || audience.includes(managementOf(issuer));
}

/** Whether it names this server or an endpoint of it. */
export function isThisServer(uri: string, issuer: string): boolean {
  return uri === issuer || uri === userinfoOf(issuer) || uri === managementOf(issuer);
}

/**
 * The audience of a token that names no resource, by who acts: a client, or a service account. Where an organization stands
 * behind them it is the resource that the app itself is, or else the organization's, and besides the endpoints of this server
 * that the scopes are for; never the issuer, which is the audience of apps of no organization (docs/decisions/0024).
 */
export function defaultAudience(
  { organization, app }: Pick<ClientRecord, "organization"> & Partial<Pick<ClientRecord, "app">>,
  scopes: readonly string[],
  { issuer }: { readonly issuer: string },
): readonly string[] {
  if (organization === undefined) return [issuer];
  const own = app === undefined ? [] : ownResources(app);
  const audience = own.length > 0 ? [...own] : [organizationAudience(organization)];
  if (scopes.includes("openid") && !isForUserinfo(audience, issuer)) audience.push(userinfoOf(issuer));
  if (scopes.some(isReservedScope) && !isForManagement(audience, issuer)) audience.push(managementOf(issuer));
  return audience;
}
