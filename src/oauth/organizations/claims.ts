/**
 * The claims about a user's organization (OC-3): one function for id_token, access token, userinfo and
 * introspection, so that they agree. Names and shapes are those of RFC 9068 2.2.3.1 and RFC 7643 4.1.2.
 */
import type { ApiResource, OAuthApp } from "../../records/definition/definition.ts";
import { emits } from "../../records/formats/claim_surfaces.ts";
import { type ClaimSurface, type MembershipScope, membershipScopes } from "../../records/names/names.ts";
import { type Member, roleNames } from "../../records/rules/member.ts";

/** The subject of the claims, and the granted scopes. */
export interface ClaimedMembership {
  readonly member: Member | undefined;
  /** In a token, each claim needs the scope of the same name. */
  readonly scopes: readonly string[];
  readonly app: Pick<OAuthApp, "claims"> & Partial<Pick<OAuthApp, "claims_dialect" | "client_id">>;
  readonly resources: readonly Pick<ApiResource, "id" | "claims">[];
}

type Claims = Readonly<Record<string, unknown>>;

/** Maximum bytes of JSON for the claims of one token: tokens travel in headers (OC-5). */
const mostBytes = 4096;

/** Maximum number of roles and groups in one token. */
const mostNames = 100;

/** The members to omit from a token that would be too large, in this order. */
const leftOut = ["groups", "permissions", "roles"] as const;

interface Place {
  readonly surface: ClaimSurface;
  readonly resources: ClaimedMembership["resources"];
}

const claimOf: Readonly<Record<MembershipScope, (member: Member, place: Place) => unknown>> = {
  organization: ({ organization: { id, slug, name } }, { surface }) =>
    surface === "access_token" ? { id, slug } : { id, slug, name },
  roles: (member, { resources }) => roleNames(member, resources),
  groups: ({ groups }) => groups.map(({ display_name }) => display_name),
  permissions: ({ permissions }) => permissions,
};

/**
 * Returns the claims about a token's membership, from the current records; none if the token is for no
 * organization. A token that would be too large omits the longest lists and says so, for example with
 * `groups_overage`. Userinfo and introspection contain all. The app's `claims` narrow each surface; those
 * of the APIs narrow access tokens and introspection.
 */
export function membershipClaims(
  { member, scopes, app, resources }: ClaimedMembership,
  surface: ClaimSurface,
): Claims {
  if (member === undefined) return {};
  const isOfApi = surface === "access_token" || surface === "introspection";
  const place: Place = { surface, resources: isOfApi ? resources : [] };
  const emitters = [app, ...place.resources];
  const claims: Record<string, unknown> = {};
  for (const name of membershipScopes)
    if (scopes.includes(name) && emitters.every((each) => emits(each, name, surface)))
      claims[name] = claimOf[name](member, place);
  const spoken = (said: Claims) => inDialect(said, member, app, place);
  const isLimited = surface === "id_token" || surface === "access_token";
  return spoken(isLimited ? withinLimits(claims, spoken) : claims);
}

/**
 * Returns the claims in the form that applications of Auth0 or Keycloak expect, in addition to the standard
 * ones: `org_id` and `org_name`, or `realm_access` and `resource_access`. Keycloak's groups are paths:
 * `/acme/admins`.
 */
function inDialect(
  claims: Claims,
  member: Member,
  { claims_dialect, client_id = "" }: ClaimedMembership["app"],
  { resources }: Place,
): Claims {
  const { id, slug } = member.organization;
  if (claims_dialect === "auth0")
    return { ...claims, ...(Object.hasOwn(claims, "organization") && { org_id: id, org_name: slug }) };
  if (claims_dialect !== "keycloak") return claims;
  const path = ({ display_name }: Member["groups"][number]) =>
    `/${slug}/${display_name.replaceAll("/", "~/")}`;
  return {
    ...claims,
    ...(Object.hasOwn(claims, "groups") && { groups: member.groups.map(path) }),
    ...(Object.hasOwn(claims, "roles") && {
      realm_access: { roles: roleNames(member, []) },
      resource_access: { [client_id]: { roles: roleNames(member, resources) } },
    }),
  };
}

function withinLimits(claims: Claims, spoken: (claims: Claims) => Claims): Claims {
  let kept = claims;
  for (const name of leftOut) {
    if (isSmall(spoken(kept))) break;
    if (!Object.hasOwn(kept, name)) continue;
    const { [name]: _, ...others } = kept;
    kept = { ...others, [`${name}_overage`]: true };
  }
  return kept;
}

function isSmall(claims: Claims): boolean {
  const { roles = [], groups = [] } = claims as Record<string, readonly string[] | undefined>;
  if (roles.length + groups.length > mostNames) return false;
  return mostBytesOf(claims) <= mostBytes || Buffer.byteLength(JSON.stringify(claims)) <= mostBytes;
}

/** Bytes of JSON for one UTF-16 code unit at most: an escape. */
const longestEscape = 6;

/**
 * Returns an upper bound of a value's bytes as JSON, at a fraction of the cost of writing it: tokens of most
 * members are far below the limit.
 */
function mostBytesOf(value: unknown): number {
  if (typeof value === "string") return longestEscape * value.length + 3;
  if (typeof value !== "object" || value === null) return 30;
  let bytes = 3;
  if (Array.isArray(value)) for (const each of value) bytes += mostBytesOf(each);
  else
    for (const name in value) bytes += longestEscape * name.length + 4 + mostBytesOf((value as Claims)[name]);
  return bytes;
}
