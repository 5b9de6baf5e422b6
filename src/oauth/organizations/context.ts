/**
 * The organization of a request's tokens is the one that the request names, the user's only one, or the
 * user's choice (OC-1). The organization belongs to the request and its tokens, never to the session (OC-2).
 */
import type { OAuthError } from "../../errors.ts";
import type {
  ApiResource,
  OAuthApp,
  OAuthToken,
  Organization,
  User,
} from "../../records/definition/definition.ts";
import { stateOfSwitch } from "../../records/names/liveness.ts";
import { isReservedScope, membershipScopes, openidScopes } from "../../records/names/names.ts";
import { consentedScopes, consentInForce, isConsentedFor } from "../../records/rules/consented_scopes.ts";
import { type Member, roleNames } from "../../records/rules/member.ts";
import type { Params } from "../core/params.ts";
import type { AuthorizationServer } from "../core/server.ts";
import { type RefusalKind, refuse } from "../refusals/refuse.ts";

type Mode = Pick<OAuthApp, "organization_mode">;

/** `organization:<slug>` requests the scope `organization` for the organization with this slug. */
const scopePrefix = "organization:";

export const knowsOrganizations = ({ organization_mode }: Mode): boolean => organization_mode !== "none";

/**
 * Returns the id or slug of the organization that a request names. Throws `invalid_request` if the parameter
 * and the scopes name different ones.
 */
export function namedOrganization(params: Params, app: Mode): string | undefined {
  if (!knowsOrganizations(app)) return undefined;
  const scope = params.get("scope") ?? "";
  const parameter = params.get("organization");
  if (parameter === undefined && !scope.includes(scopePrefix)) return undefined;
  const inScope = scope.split(" ").filter((name) => name.startsWith(scopePrefix));
  const named = new Set([
    ...(parameter === undefined ? [] : [parameter]),
    ...inScope.map((name) => name.slice(scopePrefix.length)),
  ]);
  if (named.size > 1) throw refuse("organizations_differ", { received: [...named] });
  return [...named][0];
}

export function withoutNames(scopes: readonly string[], app: Mode): string[] {
  if (!knowsOrganizations(app)) return [...scopes];
  return [...new Set(scopes.map((name) => (name.startsWith(scopePrefix) ? "organization" : name)))];
}

/**
 * Returns the user as a member of this organization. If there is no such membership, throws
 * `access_denied`, or the given error instead.
 */
export async function requireMember(
  user: Pick<User, "id">,
  id_or_slug: string,
  { store }: Pick<AuthorizationServer, "store">,
  otherwise?: OAuthError,
): Promise<Member> {
  const member = await store.findMemberIn(user.id, id_or_slug);
  if (member === undefined) throw otherwise ?? refuse("organization", { received: id_or_slug });
  return member;
}

/**
 * Returns the membership of a code or token; undefined if it has none. Throws `invalid_grant` if the
 * membership has ended or its organization is inactive.
 */
export async function memberOf(
  { membership_id }: Pick<OAuthToken, "membership_id">,
  { store }: Pick<AuthorizationServer, "store">,
): Promise<Member | undefined> {
  if (membership_id === null) return undefined;
  const member = await store.findMember(membership_id);
  if (member === undefined || stateOfSwitch(member.organization) !== "active")
    throw refuse("membership_ended");
  return member;
}

/**
 * Returns the membership of refreshed tokens (OC-2). Unless the app is first-party, a change of the
 * organization needs consent to all `scopes`, because a later refresh may request any of them. A client
 * without that consent does not learn whether the user is a member (OC-3). Throws `access_denied`,
 * `consent_required`, and what `memberOf` and `namedOrganization` throw.
 */
export async function memberAtRefresh(
  params: Params,
  app: OAuthApp,
  { row, user, scopes }: { row: OAuthToken; user: User; scopes: readonly string[] },
  server: AuthorizationServer,
): Promise<Member | undefined> {
  const before = await memberOf(row, server);
  if (!knowsOrganizations(app)) return undefined;
  const named = namedOrganization(params, app);
  if (named === undefined) return before;
  const member = await server.store.findMemberIn(user.id, named);
  if (member !== undefined && member.membership.id === before?.membership.id) return member;
  if (!app.first_party) await requireConsentIn(member?.organization, { app, user, scopes }, server);
  if (member === undefined) throw refuse("organization", { received: named });
  return member;
}

async function requireConsentIn(
  organization: Organization | undefined,
  { app, user, scopes }: { app: OAuthApp; user: User; scopes: readonly string[] },
  server: Pick<AuthorizationServer, "store">,
): Promise<void> {
  const consent = await consentInForce(user, app, server);
  const counts =
    organization !== undefined && consent !== undefined && isConsentedFor(consent, [organization]);
  const allowed = counts ? consentedScopes(consent, [organization]) : [];
  if (!counts || !scopes.every((name) => allowed.includes(name)))
    throw refuse("organization_unconsented", { requested: scopes, allowed });
}

interface Wanted {
  readonly named: string | undefined;
  readonly scopes: readonly string[];
  readonly chosen?: string | undefined;
  readonly search?: string | undefined;
  readonly silent: boolean;
}

export interface OrganizationChoice {
  readonly organizations: readonly Organization[];
  readonly more: boolean;
  readonly last: string | undefined;
  readonly search: string;
}

const mostShown = 20;

const longestSearch = 64;

/**
 * Returns the membership that this request's tokens are for, or the choice that the user must make; undefined
 * if the tokens are for no organization. Throws `access_denied`, `interaction_required` or
 * `consent_required`. Without interaction, an app that lacks consent and is not first-party does not learn
 * the user's memberships (OC-1).
 */
export async function organizationFor(
  { named, scopes, chosen, search, silent }: Wanted,
  app: OAuthApp,
  user: User,
  server: AuthorizationServer,
): Promise<Member | OrganizationChoice | undefined> {
  const { store } = server;
  const { organization_mode: mode } = app;
  if (mode === "none") return undefined;
  const wanted = named ?? chosen;
  const hidden =
    silent && !app.first_party ? refuse("consent", { requested: scopes, allowed: [] }) : undefined;
  if (wanted !== undefined) return requireMember(user, wanted, server, hidden);
  if (mode === "optional") return undefined;
  if (hidden !== undefined && (await consentInForce(user, app, server)) === undefined) throw hidden;
  const [only, ...others] = await store.firstMembersOf(user.id);
  if (only === undefined) {
    if (mode === "auto") return undefined;
    throw refuse("organization_lacking");
  }
  if (others.length === 0) return only;
  if (silent) throw refuse("organization_not_chosen");
  return choiceOf(app, user, (search ?? "").slice(0, longestSearch).trim(), server);
}

async function choiceOf(
  app: Pick<OAuthApp, "id">,
  user: User,
  search: string,
  { store }: AuthorizationServer,
): Promise<OrganizationChoice> {
  const found = await store.organizationsOf(user.id, mostShown + 1, search);
  const last = await store.lastOrganization(user.id, app.id);
  const shown = found.slice(0, mostShown);
  const isFirst = last !== undefined && (search === "" || shown.some(({ id }) => id === last.id));
  const first = isFirst && last.active ? [last] : [];
  return {
    organizations: [...first, ...shown.filter(({ id }) => id !== first[0]?.id)],
    more: found.length > mostShown,
    last: first[0]?.id,
    search,
  };
}

function isAdmitted(
  { who_may_sign_in, sign_in_roles, sign_in_groups }: OAuthApp,
  member: Member | undefined,
): boolean {
  if (member === undefined || stateOfSwitch(member.organization) !== "active") return false;
  switch (who_may_sign_in) {
    case "roles":
      return roleNames(member, []).some((name) => sign_in_roles.includes(name));
    case "groups":
      return member.group_names.some((name) => sign_in_groups.includes(name));
    default:
      return true;
  }
}

export interface MembershipReads {
  readonly store: Pick<
    AuthorizationServer["store"],
    "findMember" | "findMemberIn" | "firstMembersOf" | "list"
  >;
}

/** Returns whether the app lets this user sign in (OC-8). */
export async function maySignIn(
  user: Pick<User, "id">,
  app: OAuthApp,
  { store }: MembershipReads,
  member?: Member,
): Promise<boolean> {
  const { who_may_sign_in, organization_id } = app;
  if (who_may_sign_in === "any") return true;
  if (organization_id !== null) return isAdmitted(app, await store.findMemberIn(user.id, organization_id));
  if (member !== undefined) return isAdmitted(app, member);
  if (who_may_sign_in === "members") return (await store.firstMembersOf(user.id)).length > 0;
  for (const { id } of await store.list("memberships", { user_id: user.id }))
    if (isAdmitted(app, await store.findMember(id))) return true;
  return false;
}

/** Throws `access_denied`, or at the token endpoint `invalid_grant`, unless the app lets the user sign in. */
export async function requireAdmission(
  user: Pick<User, "id">,
  app: OAuthApp,
  server: Pick<AuthorizationServer, "store">,
  { member, at }: { readonly member?: Member | undefined; readonly at: "authorize" | "token" },
): Promise<void> {
  if (await maySignIn(user, app, server, member)) return;
  throw refuse(notAdmitted(app, at));
}

export const isForMembers = ({ who_may_sign_in }: Pick<OAuthApp, "who_may_sign_in">): boolean =>
  who_may_sign_in === "members";

export function notAdmitted(app: Pick<OAuthApp, "who_may_sign_in">, at: "authorize" | "token") {
  return admissionRefusals[`${at}_${isForMembers(app) ? "members" : "others"}`];
}

const admissionRefusals = {
  authorize_members: "members_only",
  authorize_others: "role_or_group_lacking",
  token_members: "membership_lacking",
  token_others: "role_or_group_ended",
} as const satisfies Record<string, RefusalKind>;

/**
 * A token gets a scope of a `role_bound` API only if the user's app roles in the token's organization grant
 * the scope (OC-6).
 */
interface Bound {
  readonly resources: readonly Pick<ApiResource, "id" | "scopes" | "role_bound">[];
  readonly member: Member | undefined;
  readonly app: Pick<OAuthApp, "organization_mode">;
}

const openid: ReadonlySet<string> = new Set(openidScopes);

export function scopesOfRoles(
  scopes: readonly string[],
  { resources, member, app }: Bound,
): readonly string[] {
  const bound = resources.filter(({ role_bound }) => role_bound);
  if (bound.length === 0) return scopes;
  const ofMembership: readonly string[] = knowsOrganizations(app) ? membershipScopes : [];
  const isFree = (scope: string) =>
    openid.has(scope) || isReservedScope(scope) || ofMembership.includes(scope);
  const granted = new Set(
    (member?.app_roles ?? []).flatMap(({ resource_id, scopes: its }) =>
      its.map((scope) => `${resource_id} ${scope}`),
    ),
  );
  return scopes.filter((scope) =>
    bound.every(({ id, scopes: own }) => {
      // An API that defines no scopes accepts every scope of the app.
      const isOwn = Object.hasOwn(own, scope) || (Object.keys(own).length === 0 && !isFree(scope));
      return !isOwn || granted.has(`${id} ${scope}`);
    }),
  );
}

/**
 * Returns the requested scopes that `scopesOfRoles` keeps. Throws `access_denied`, or at the token endpoint
 * `invalid_grant`, if scopes were requested and none remain.
 */
export function requireScopesOfRoles(
  requested: readonly string[],
  bound: Bound,
  at: "authorize" | "token",
): readonly string[] {
  const allowed = scopesOfRoles(requested, bound);
  if (allowed.length > 0 || requested.length === 0) return allowed;
  throw at === "authorize" ? refuse("app_role_lacking", { requested, allowed }) : refuse("app_role_ended");
}
