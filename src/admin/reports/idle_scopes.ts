import type { OAuthApp } from "../../records/definition/definition.ts";
import { emits, namesAttributes } from "../../records/formats/claim_surfaces.ts";
import { claimSurfaces, membershipScopes } from "../../records/names/names.ts";

/**
 * Scopes for attributes of users (OpenID Connect Core, section 5.4). They have an effect only with the claims
 * that the app lists in `claims`.
 */
const attributeScopes: readonly string[] = ["address", "phone"];

/**
 * Returns the app's scopes that have no effect: they add no claim and no kind of token, and belong to no API.
 */
export function idleScopes(
  app: Pick<OAuthApp, "allowed_scopes" | "allowed_grants" | "organization_mode" | "claims">,
  api_scopes: readonly string[],
): readonly string[] {
  const { allowed_scopes, allowed_grants } = app;
  const signsIn = allowed_grants.includes("auth_code");
  const isOpenid = signsIn && allowed_scopes.includes("openid");
  const brings: Readonly<Record<string, boolean>> = {
    openid: signsIn,
    profile: isOpenid,
    email: isOpenid,
    offline_access: signsIn && allowed_grants.includes("refresh"),
  };
  const ofOrganization = signsIn && app.organization_mode !== "none";
  const releases: Readonly<Record<string, boolean>> = {
    ...Object.fromEntries(attributeScopes.map((name) => [name, signsIn && namesAttributes(app)])),
    ...Object.fromEntries(
      membershipScopes.map((name) => [
        name,
        ofOrganization && claimSurfaces.some((surface) => emits(app, name, surface)),
      ]),
    ),
  };
  return allowed_scopes.filter(
    (name) => brings[name] === false || (releases[name] === false && !api_scopes.includes(name)),
  );
}
