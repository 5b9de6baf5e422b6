/**
 * API scopes that are bound to roles (OC-6): a user's token has only those that the user's app roles grant
 * in the token's organization, whatever the app may request and the user allowed.
 */
import type { ApiResource, OAuthApp } from "../../records/definition/definition.ts";
import { isReservedScope, membershipScopes, openidScopes } from "../../records/names/names.ts";
import type { Member } from "../../records/rules/member.ts";
import { refuse } from "../refusals/refuse.ts";
import { knowsOrganizations } from "./context.ts";

interface Bound {
  readonly resources: readonly Pick<ApiResource, "id" | "scopes" | "role_bound">[];
  readonly member: Member | undefined;
  readonly app: Pick<OAuthApp, "organization_mode">;
}

const openid: ReadonlySet<string> = new Set(openidScopes);

/** Returns those of the scopes that the user's app roles grant. */
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
 * Returns the same scopes. Throws `access_denied`, or at the token endpoint `invalid_grant`, if scopes were
 * requested and none remain.
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
