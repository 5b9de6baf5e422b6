/**
 * The owners whose resource servers accept the plain scopes of an API key
 * (docs/decisions/resources-and-scopes.md).
 */
import type { APIKey } from "../definition/definition.ts";
import { isReservedScope, openidScopes } from "../names/names.ts";

/** An app that belongs to no organization accepts the scopes of this owner. */
export const serverItself = "server";

/**
 * The owner of a scope that a platform administrator granted: the scope is valid at every resource server
 * that sees the key.
 */
export const everywhere = "everywhere";

const openid: ReadonlySet<string> = new Set(openidScopes);

/** Returns whether a scope belongs neither to OpenID Connect nor to this server. */
export function isPlainScope(scope: string): boolean {
  return !isReservedScope(scope) && !openid.has(scope);
}

/**
 * Returns the column `scope_owners`: each plain scope with ids of organizations, `server` or `everywhere`.
 */
export function scopeOwnersOf(
  scopes: readonly string[],
  ownersOf: (scope: string) => readonly string[],
): APIKey["scope_owners"] {
  return Object.fromEntries(scopes.filter(isPlainScope).map((scope) => [scope, ownersOf(scope)]));
}

/** Returns the owners recorded for the scope on this key; empty if there are none. */
export function ownersOnKey({ scope_owners }: Pick<APIKey, "scope_owners">, scope: string): string[] {
  const owners = Object.hasOwn(scope_owners, scope) ? scope_owners[scope] : undefined;
  return Array.isArray(owners) ? owners.filter((owner) => typeof owner === "string") : [];
}

/** Returns the key's scopes that are valid for an app of this organization or, if the id is null, of none. */
export function vouchedScopes(
  key: Pick<APIKey, "scopes" | "scope_owners">,
  organization_id: string | null,
): readonly string[] {
  const asking = organization_id ?? serverItself;
  return key.scopes.filter((scope) => {
    if (!isPlainScope(scope)) return true;
    return ownersOnKey(key, scope).some((owner) => owner === asking || owner === everywhere);
  });
}
