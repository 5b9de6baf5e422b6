/**
 * The owner for whose resource servers the plain scopes of an API key count
 * (docs/decisions/resources-and-scopes.md).
 */
import type { APIKey } from "../definition/definition.ts";
import { isReservedScope, openidScopes } from "../names/names.ts";

/** Apps that belong to no organization: those of the server itself. */
export const serverItself = "server";

/** Granted by a platform administrator: for every resource server that sees the key. */
export const everywhere = "everywhere";

const openid: ReadonlySet<string> = new Set(openidScopes);

/** Whether a scope is neither OpenID Connect's nor this server's own, so that its owner defines it. */
export function isPlainScope(scope: string): boolean {
  return !isReservedScope(scope) && !openid.has(scope);
}

/** The column `scope_owners`: each plain scope with ids of organizations, `server` or `everywhere`. */
export function scopeOwnersOf(
  scopes: readonly string[],
  ownersOf: (scope: string) => readonly string[],
): APIKey["scope_owners"] {
  return Object.fromEntries(scopes.filter(isPlainScope).map((scope) => [scope, ownersOf(scope)]));
}

/** The owner of the scope on this key; undefined if none is noted. */
export function ownersOnKey({ scope_owners }: Pick<APIKey, "scope_owners">, scope: string): string[] {
  const owners = Object.hasOwn(scope_owners, scope) ? scope_owners[scope] : undefined;
  return Array.isArray(owners) ? owners.filter((owner) => typeof owner === "string") : [];
}

/**
 * The scopes that the key vouches for towards an app of this organization, or of none: its plain scopes given
 * for that owner's resource servers, and every other scope.
 */
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
