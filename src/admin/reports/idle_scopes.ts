import type { OAuthApp } from "../../records/definition/definition.ts";
import { emits, namesAttributes } from "../../records/formats/claim_surfaces.ts";
import { claimSurfaces, membershipScopes } from "../../records/names/names.ts";

/**
 * Scopes of attributes (OpenID Connect Core 5.4). They release only those claims that the app's `claims`
 * lists.
 */
const attributeScopes: readonly string[] = ["address", "phone"];

/**
 * Returns the allowed scopes that have no effect for the app: they release no claim, yield no token and
 * belong to no API.
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
