/**
 * Determines the owners of each plain scope (`isPlainScope`): the organizations whose apps may request the
 * scope, or the server.
 */
import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import type { APIKey, NewRow, OAuthApp } from "../../records/definition/definition.ts";
import { scopesOf } from "../../records/formats/resource_scopes.ts";
import {
  everywhere,
  isPlainScope,
  ownersOnKey,
  scopeOwnersOf,
  serverItself,
} from "../../records/rules/scope_owners.ts";
import type { Verbs } from "../../storage/database/verbs.ts";
import { type EffectivePermissions, isUnlimited, permissionsOfUser } from "./actor.ts";

type Reads = Pick<Verbs, "find" | "list" | "listColumns">;

interface Owner {
  readonly user_id: string | null;
  readonly organization_id: string | null;
}

const isFree = (actorPermissions: EffectivePermissions): boolean =>
  actorPermissions.platform && isUnlimited(actorPermissions);

/**
 * Returns a function that returns the owners whose resource servers accept a plain scope on an API key. It
 * returns none if the actor may not grant the scope.
 */
export async function givenScopes(
  reads: Reads,
  actorPermissions: EffectivePermissions,
  owner: Owner,
): Promise<(scope: string) => readonly string[]> {
  // Reads no apps, because an export asks this for each key.
  if (isFree(actorPermissions)) return () => [owner.organization_id ?? everywhere];
  const owners = await scopesOfApps(reads, actorPermissions, owner);
  return (scope) => [...(owners.get(scope) ?? [])];
}

/**
 * Returns the scopes of all apps of an organization or user. Maps each scope to the organizations of the apps
 * that have it; an app without an organization counts for the server. For a user, apps in organizations whose
 * apps the user may not write are left out, except for an unrestricted platform administrator. `limit` bounds
 * the number of apps read.
 */
export async function scopesOfApps(
  reads: Reads,
  actorPermissions: EffectivePermissions,
  { user_id, organization_id }: Owner,
  limit?: number,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const options = { order_by: "id", descending: true, ...(limit !== undefined && { limit }) } as const;
  const columns = ["organization_id", "allowed_scopes"] as const;
  const apps =
    organization_id !== null
      ? await reads.listColumns("oauth_apps", columns, { organization_id }, options)
      : user_id !== null
        ? await reads.listColumns("oauth_apps", columns, { owner_id: user_id }, options)
        : [];
  const writable =
    organization_id === null && !isFree(actorPermissions)
      ? await writableBy(reads, actorPermissions, user_id)
      : undefined;
  const counting = apps.filter(
    (app) => app.organization_id === null || (writable?.has(app.organization_id) ?? true),
  );
  const owners = new Map<string, Set<string>>();
  for (const app of counting) {
    for (const scope of app.allowed_scopes) {
      const known = owners.get(scope) ?? new Set();
      owners.set(scope, known.add(app.organization_id ?? serverItself));
    }
  }
  return owners;
}

async function writableBy(
  reads: Reads,
  actorPermissions: EffectivePermissions,
  user_id: string | null,
): Promise<ReadonlySet<string>> {
  const isOwn = user_id !== null && user_id === actorPermissions.user_id;
  const user = user_id === null || isOwn ? undefined : await reads.find("users", { id: user_id });
  const theirs = isOwn
    ? actorPermissions
    : user && (await permissionsOfUser(reads, user, actorPermissions.allowed));
  if (theirs === undefined || !theirs.allowed.has("apps:write")) return new Set();
  return new Set(
    [...theirs.organizations].flatMap(([id, { permissions }]) => (permissions.has("apps:write") ? [id] : [])),
  );
}

type KeyColumns = Pick<APIKey, "scopes" | "scope_owners"> & Owner;

export async function scopeOwnersOfNew(
  reads: Reads,
  actorPermissions: EffectivePermissions,
  { user_id = null, organization_id = null, scopes = [] }: NewRow<"api_keys">,
): Promise<Partial<APIKey>> {
  if (!scopes.some(isPlainScope)) return {};
  const ownersOf = await givenScopes(reads, actorPermissions, { user_id, organization_id });
  return { scope_owners: scopeOwnersOf(scopes, ownersOf) };
}

/** Returns the column `scope_owners` of an API key after a change. */
export async function scopeOwnersOfChange(
  reads: Reads,
  actorPermissions: EffectivePermissions,
  current: KeyColumns,
  changes: Partial<KeyColumns>,
): Promise<Partial<APIKey>> {
  const after = { ...current, ...changes };
  const isMoved = after.user_id !== current.user_id || after.organization_id !== current.organization_id;
  if (changes.scopes === undefined && !isMoved) return {};
  const ownersOf = after.scopes.some(isPlainScope)
    ? await givenScopes(reads, actorPermissions, after)
    : undefined;
  const had = new Set(isMoved ? [] : current.scopes);
  return {
    scope_owners: scopeOwnersOf(after.scopes, (scope) =>
      had.has(scope) ? ownersOnKey(current, scope) : (ownersOf?.(scope) ?? []),
    ),
  };
}

/**
 * Returns the errors of scopes that the change adds to an app without an organization. The tokens of all such
 * apps share one audience. Only a platform administrator may therefore add a scope that another owner's app
 * has or that an API of the server defines.
 */
export async function sharedScopeErrors(
  reads: Reads,
  { platform }: EffectivePermissions,
  {
    id,
    owner_id,
    organization_id,
    allowed_scopes,
  }: Pick<OAuthApp, "id" | "owner_id" | "organization_id" | "allowed_scopes">,
  had: readonly string[],
): Promise<FieldError[]> {
  const isAdded = (scope: string) => isPlainScope(scope) && !had.includes(scope);
  if (platform || organization_id !== null || !allowed_scopes.some(isAdded)) return [];
  const columns = ["id", "owner_id", "organization_id", "allowed_scopes"] as const;
  const others = (await reads.listColumns("oauth_apps", columns, {})).filter(
    (app) => app.id !== id && (app.organization_id !== null || app.owner_id !== owner_id),
  );
  const apis = await reads.listColumns("resources", ["scopes"], { organization_id: null });
  const defined = new Set([...others.flatMap((app) => app.allowed_scopes), ...apis.flatMap(scopesOf)]);
  return allowed_scopes.flatMap((scope, index) =>
    isAdded(scope) && defined.has(scope)
      ? [fieldError(`/allowed_scopes/${index}`, "scope_defined_elsewhere")]
      : [],
  );
}
