import type { OAuthApp } from "../records/definition.ts";
import { isReservedScope, isScopeToken } from "../records/names.ts";
import { managementScopes } from "../records/permissions.ts";
import { refuse } from "./refusals/refuse.ts";

/** The scopes of a `scope` parameter, each once, in their order (RFC 6749 3.3). Throws `invalid_scope`. */
export function readScopes(scope: string | undefined): string[] {
  const scopes = (scope ?? "").split(" ").filter((name) => name !== "");
  if (scopes.length === 0) throw refuse("scope_missing");
  if (!scopes.every(isScopeToken)) throw refuse("scope_malformed");
  return [...new Set(scopes)];
}

/**
 * The requested scopes, every one of which must be allowed. Of the scopes of this server's own power a token
 * carries those of the management API alone; the others are used by the client itself (design 6.7).
 */
export function narrowScopes(requested: readonly string[], allowed: readonly string[]): readonly string[] {
  const beyond = requested.find((name) => !allowed.includes(name) || !isGrantable(name));
  if (beyond !== undefined) {
    throw refuse("scope_not_allowed", { scope: beyond, requested, allowed: allowed.filter(isGrantable) });
  }
  return requested;
}

export function isGrantable(scope: string): boolean {
  return !isReservedScope(scope) || managementScopes.includes(scope);
}

/** Whether the scope is about a user, so that no token without one can carry it. */
export function isAboutUser(scope: string): boolean {
  return scope === "openid" || scope === "offline_access";
}

/**
 * What a machine is granted that asks for no scope (RFC 6749 3.3): the app's `default_scopes`, else
 * everything it is allowed but power over this server, which is asked for by name. Throws `invalid_scope`
 * where nothing is left.
 */
export function unaskedScopes(
  { default_scopes: named }: Pick<OAuthApp, "default_scopes">,
  allowed: readonly string[],
): readonly string[] {
  const granted = (named ?? allowed).filter(
    (name) =>
      allowed.includes(name) && !isAboutUser(name) && (named ? isGrantable(name) : !isReservedScope(name)),
  );
  if (granted.length > 0) return [...new Set(granted)];
  throw refuse("scope_missing_without_default");
}

/** Refuses scopes that only a person can grant, where there is none. */
export function refuseUserScopes(scopes: readonly string[]): void {
  const received = scopes.filter(isAboutUser);
  if (received.length > 0) throw refuse("scope_of_user", { received });
}

export function coversScopes(held: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((name) => held.includes(name));
}
