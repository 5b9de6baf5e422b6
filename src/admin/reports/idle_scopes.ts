import type { OAuthApp } from "../../records/definition/definition.ts";

/** Scopes that release claims on other servers, but not on this one. */
const claimScopes: readonly string[] = ["address", "groups", "phone", "roles"];

/**
 * Returns the allowed scopes that have no effect for the app: they release no claim, yield no token and
 * belong to no API.
 */
export function idleScopes(
  { allowed_scopes, allowed_grants }: Pick<OAuthApp, "allowed_scopes" | "allowed_grants">,
  api_scopes: readonly string[],
): readonly string[] {
  const signsIn = allowed_grants.includes("auth_code");
  const isOpenid = signsIn && allowed_scopes.includes("openid");
  const brings: Readonly<Record<string, boolean>> = {
    openid: signsIn,
    profile: isOpenid,
    email: isOpenid,
    offline_access: signsIn && allowed_grants.includes("refresh"),
  };
  return allowed_scopes.filter((name) =>
    claimScopes.includes(name) ? !api_scopes.includes(name) : brings[name] === false,
  );
}
