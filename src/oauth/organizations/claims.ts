/**
 * The claims about organizations (OC-3) and attributes (OC-7) are computed in one place, so that tokens,
 * userinfo, introspection and the preview agree. `roles` and `groups` are claims of RFC 9068 2.2.3.1.
 */
import type { ApiResource, OAuthApp, Organization, User } from "../../records/definition/definition.ts";
import { emits, namesAttributes, wants } from "../../records/formats/claim_surfaces.ts";
import { attributeRecords } from "../../records/names/attributes.ts";
import { type ClaimSurface, type MembershipScope, membershipScopes } from "../../records/names/names.ts";
import {
  type Attribute,
  attributesOf,
  isForeignAddress,
  standardAttribute,
  usernameAttribute,
} from "../../records/rules/attributes.ts";
import {
  type ApiOfRoles,
  hasNamedRoles,
  type Member,
  organizationRoleNames,
  roleNames,
} from "../../records/rules/member.ts";
import { isToldToOrganizations } from "../../records/rules/readers.ts";
import type { Clients } from "../../storage/ports.ts";

export interface ClaimedMembership {
  readonly member: Member | undefined;
  /** Each claim needs the scope of the same name. */
  readonly scopes: readonly string[];
  readonly app: Pick<OAuthApp, "claims"> & Partial<Pick<OAuthApp, "claims_dialect" | "client_id">>;
  readonly resources: readonly (Pick<ApiResource, "claims"> & ApiOfRoles)[];
}

type Claims = Readonly<Record<string, unknown>>;

/** Bytes of JSON for membership claims and attributes in one token; tokens are sent in headers (OC-5). */
const mostBytes = 4096;

const mostNames = 100;

/** If the claims would be too large, these are left out one after the other until the rest fits. */
const leftOut = ["groups", "permissions", "roles"] as const;

const apisAt = <Api>(surface: ClaimSurface, resources: readonly Api[]): readonly Api[] =>
  surface === "access_token" || surface === "introspection" ? resources : [];

interface Place {
  readonly surface: ClaimSurface;
  readonly resources: ClaimedMembership["resources"];
}

const claimOf: Readonly<Record<MembershipScope, (member: Member, place: Place) => unknown>> = {
  organization: ({ organization: { id, slug, name } }, { surface }) =>
    surface === "access_token" ? { id, slug } : { id, slug, name },
  roles: (member, { resources }) => roleNames(member, resources),
  groups: ({ group_names }) => group_names,
  permissions: ({ permissions }) => permissions,
};

/**
 * Returns the claims about a token's membership. A token that would be too large omits lists, and says so,
 * for example with `groups_overage`.
 */
export function membershipClaims(
  { member, scopes, app, resources }: ClaimedMembership,
  surface: ClaimSurface,
): Claims {
  if (member === undefined) return {};
  const place: Place = { surface, resources: apisAt(surface, resources) };
  const emitters = [app, ...place.resources];
  const claims: Record<string, unknown> = {};
  for (const name of membershipScopes)
    if (scopes.includes(name) && emitters.every((each) => emits(each, name, surface)))
      claims[name] = claimOf[name](member, place);
  const spoken = (said: Claims) => inDialect(said, member, app, place);
  const isLimited = surface === "id_token" || surface === "access_token";
  return spoken(isLimited && !isSmall(member, app) ? withinLimits(claims, spoken) : claims);
}

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
  // Groups imported from Keycloak have its path as their name, such as `/staff`.
  const path = ({ display_name }: Member["groups"][number]) =>
    `/${slug}/${display_name.replace(/^\//, "").replaceAll("/", "~/")}`;
  return {
    ...claims,
    ...(Object.hasOwn(claims, "groups") && { groups: member.groups.map(path) }),
    ...(Object.hasOwn(claims, "roles") && {
      realm_access: { roles: organizationRoleNames(member, resources) },
      resource_access: { [client_id]: { roles: roleNames(member, resources) } },
    }),
  };
}

const isSmall = ({ most }: Member, { claims_dialect = "none" }: ClaimedMembership["app"]): boolean =>
  claims_dialect === "none" && most.names <= mostNames && most.bytes <= mostBytes;

function withinLimits(claims: Claims, spoken: (claims: Claims) => Claims): Claims {
  let kept = claims;
  for (const name of leftOut) {
    if (fits(spoken(kept))) break;
    if (!Object.hasOwn(kept, name)) continue;
    const { [name]: _, ...others } = kept;
    kept = { ...others, [`${name}_overage`]: true };
  }
  return kept;
}

function fits(claims: Claims): boolean {
  const { roles = [], groups = [] } = claims as Record<string, readonly string[] | undefined>;
  return roles.length + groups.length <= mostNames && Buffer.byteLength(JSON.stringify(claims)) <= mostBytes;
}

interface ClaimedAttributes {
  readonly user: User | undefined;
  readonly member: Member | undefined;
  readonly scopes: readonly string[];
  readonly app: OAuthApp;
  readonly resources: readonly Pick<ApiResource, "id" | "claims">[];
  readonly audience: readonly string[];
  /** Further readers of the claims: the acting service account, and the client that introspects the token. */
  readonly others?: readonly (Owned | undefined)[];
}

type Owned = { readonly organization_id: string | null };

export interface AttributeReads {
  readonly issuer: string;
  readonly store: Pick<Clients, "attributeDefinitions" | "appRoleNames" | "findResource">;
}

type AbsentClaim = "scope_lacking" | "not_in_claims_of_app" | "not_in_claims_of_api" | "value_lacking";

interface AttributeClaim {
  readonly attribute: Attribute;
  readonly claim: string;
  readonly value?: unknown;
  readonly absent?: AbsentClaim;
}

type ClaimedAttribute = Attribute & { readonly claim: string };

/**
 * Whether an app or API of an organization reads the claims. The APIs in the token's audience count even at
 * userinfo, because they have the token. An audience entry that is neither an API nor the issuer counts as an
 * organization's.
 */
async function isReadByOrganization(
  { app, audience, others = [] }: Pick<ClaimedAttributes, "app" | "audience" | "others">,
  surface: ClaimSurface,
  { store, issuer }: AttributeReads,
): Promise<boolean> {
  if ([app, ...others].some((each) => each !== undefined && each.organization_id !== null)) return true;
  // Only the app receives the ID token.
  for (const member of surface === "id_token" ? [] : audience) {
    const api = await store.findResource(member);
    const isOfServer = api?.identifier === member ? api.organization_id === null : member === issuer;
    if (!isOfServer) return true;
  }
  return false;
}

/**
 * Returns the attributes that the app's tokens could contain. If the server and an organization define the
 * same claim, the server's definition applies.
 */
export async function claimedAttributes(
  claimed: Pick<ClaimedAttributes, "app" | "audience" | "others"> & {
    readonly member: { readonly organization: Pick<Organization, "id"> } | undefined;
  },
  surface: ClaimSurface,
  server: AttributeReads,
): Promise<readonly ClaimedAttribute[]> {
  const { app, member } = claimed;
  const owners = [app.organization_id, member?.organization.id].filter((id) => typeof id === "string");
  const definitions = await server.store.attributeDefinitions(...owners);
  const ofServer = attributeRecords.flatMap((record_type) => attributesOf(record_type, null, definitions));
  const all = attributeRecords.flatMap((record_type) => {
    const owner = record_type === "apps" ? app.organization_id : (member?.organization.id ?? null);
    return attributesOf(record_type, owner, definitions);
  });
  const claims = new Map<string, Attribute>();
  for (const each of [...ofServer, ...all])
    if (each.claim !== null && !claims.has(each.claim)) claims.set(each.claim, each);
  const isLimited = await isReadByOrganization(claimed, surface, server);
  return [...claims].flatMap(([claim, each]) =>
    isLimited && !isToldToOrganizations(each) ? [] : [{ ...each, claim }],
  );
}

/**
 * Returns the labels of the user's attributes that these scopes release to the app. The consent page lists
 * them, because any API may define such a scope and describe it as it likes.
 */
export async function releasedDetails(
  app: OAuthApp,
  organization: Pick<Organization, "id"> | undefined,
  scopes: readonly string[],
  server: AttributeReads,
): Promise<readonly string[]> {
  if (!namesAttributes(app)) return [];
  const about = { app, member: organization && { organization }, audience: [] };
  const attributes = await claimedAttributes(about, "userinfo", server);
  return attributes.flatMap((attribute) => {
    const { record_type, name, label, claim, readers } = attribute;
    const isAboutUser = record_type === "users" || record_type === "memberships";
    if (!isAboutUser || !readers.includes("user")) return [];
    const described = standardAttribute(attribute)?.scopes ?? [];
    const releasing = attribute.scopes.filter(
      (scope) => scopes.includes(scope) && !described.includes(scope),
    );
    const isReleased = app.claims !== null && Object.hasOwn(app.claims, claim);
    return isReleased && releasing.length > 0 ? [label ?? name] : [];
  });
}

export function attributeClaims(
  claimed: ClaimedAttributes,
  surface: ClaimSurface,
  attributes: readonly ClaimedAttribute[],
): AttributeClaim[] {
  return attributes.map((attribute): AttributeClaim => {
    const { claim } = attribute;
    const absent = absenceOf(claim, attribute, claimed, surface);
    if (absent !== undefined) return { attribute, claim, absent };
    const value = valueAt(attribute, claimed);
    return value === undefined ? { attribute, claim, absent: "value_lacking" } : { attribute, claim, value };
  });
}

function absenceOf(
  claim: string,
  { scopes: releasing }: Attribute,
  { app, resources, scopes }: ClaimedAttributes,
  surface: ClaimSurface,
): AbsentClaim | undefined {
  const isReleased = releasing.length === 0 || releasing.some((name) => scopes.includes(name));
  if (!isReleased) return "scope_lacking";
  if (!wants(app, claim, surface)) return "not_in_claims_of_app";
  return apisAt(surface, resources).every((each) => emits(each, claim, surface))
    ? undefined
    : "not_in_claims_of_api";
}

function valueAt(
  { record_type, name }: Attribute,
  { user, member, app, scopes }: ClaimedAttributes,
): unknown {
  const values = {
    users: user?.attributes,
    memberships: member?.membership.attributes,
    organizations: member?.organization.attributes,
    apps: app.attributes,
  }[record_type];
  const isUsername = record_type === "users" && name === usernameAttribute;
  const value = values && Object.hasOwn(values, name) ? values[name] : undefined;
  const isForeign = isUsername && user !== undefined && isForeignAddress(value, user);
  if (value !== undefined && !isForeign) return value;
  return isUsername && app.email_as_username && scopes.includes("email") ? user?.email : undefined;
}

const withAppRoles = (
  { resources }: ClaimedAttributes,
  { store }: AttributeReads,
): Promise<ClaimedMembership["resources"]> =>
  Promise.all(resources.map(async (api) => ({ ...api, app_role_names: await store.appRoleNames(api.id) })));

/** Returns the claims about a user's membership, and those of the attributes that are released to the app. */
export async function recordClaims(
  claimed: ClaimedAttributes,
  surface: ClaimSurface,
  server: AttributeReads,
): Promise<Readonly<Record<string, unknown>>> {
  const { member, scopes } = claimed;
  // App roles are read only if the member has roles other than the built-in ones, because no app role has the
  // name of a built-in one.
  const compares = member !== undefined && scopes.includes("roles") && hasNamedRoles(member);
  const resources = compares ? await withAppRoles(claimed, server) : claimed.resources;
  const ofMembership = membershipClaims({ ...claimed, resources }, surface);
  if (!namesAttributes(claimed.app)) return ofMembership;
  const attributes = await claimedAttributes(claimed, surface, server);
  const present = attributeClaims(claimed, surface, attributes).filter(({ absent }) => absent === undefined);
  const whole = { ...Object.fromEntries(present.map(({ claim, value }) => [claim, value])), ...ofMembership };
  const isToken = surface === "id_token" || surface === "access_token";
  const isSmall = !isToken || Buffer.byteLength(JSON.stringify(whole)) <= mostBytes;
  return isSmall ? whole : { ...ofMembership, attributes_overage: true };
}
