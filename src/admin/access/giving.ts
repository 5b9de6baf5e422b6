/**
 * Decides which permissions the credential of a request may grant. A credential never creates, widens or
 * redirects anything beyond its own permissions, even if its owner has more. Every rule on grants calls
 * `mayGive`.
 */
import {
  type Permission,
  permissions,
  permissionsOf,
  rolePermissions,
} from "../../records/definition/permissions.ts";
import { isReservedScope } from "../../records/names/names.ts";
import type { Verbs } from "../../storage/database/verbs.ts";
import { permissionsAnywhere, permissionsIn } from "./access.ts";
import { type EffectivePermissions, isUnlimited, permissionsOfUser } from "./actor.ts";

type Reads = Pick<Verbs, "find" | "list">;
type Permissions = ReadonlySet<Permission>;

const everything: ReadonlySet<Permission> = new Set(permissions);
const nothing: ReadonlySet<Permission> = new Set();

const machinePermissions: ReadonlySet<Permission> = new Set(rolePermissions.admin);

type Reach = { readonly organization_id: string } | { readonly user_id: string } | "everywhere";

/** Returns the permissions that this credential may grant within `reach`. */
export function mayGive(actorPermissions: EffectivePermissions, reach: Reach): Permissions {
  if (reach !== "everywhere" && "organization_id" in reach)
    return permissionsIn(actorPermissions, reach.organization_id);
  if (actorPermissions.platform) return actorPermissions.allowed;
  return reach !== "everywhere" && reach.user_id === actorPermissions.user_id
    ? permissionsAnywhere(actorPermissions)
    : nothing;
}

export function both(one: Permissions, other: Permissions): Permissions {
  return new Set([...one].filter((permission) => other.has(permission)));
}

function without(one: Permissions, other: Permissions): Permission[] {
  return [...one].filter((permission) => !other.has(permission));
}

/**
 * Returns whether the actor may change the password or email address of this account. Either change gives
 * access to everything that the user may do, so the credential must allow all of it. Only a platform
 * administrator may change another user's password or email address.
 */
export function mayGiveAccount(actorPermissions: EffectivePermissions, user_id: string): boolean {
  if (actorPermissions.user_id !== user_id) return actorPermissions.platform && isUnlimited(actorPermissions);
  const whole = permissionsAnywhere({ ...actorPermissions, allowed: everything });
  return without(whole, mayGive(actorPermissions, { user_id })).length === 0;
}

/**
 * Returns whether the credential may vouch for an app to every user and every organization (`first_party`,
 * `metadata.resource`). This reaches further than any permission to write apps, so it requires a platform
 * administrator's credential that allows every permission.
 */
export function mayVouch(actorPermissions: EffectivePermissions): boolean {
  return actorPermissions.platform && isUnlimited(actorPermissions);
}

/**
 * Returns the reserved scopes among these that carry no permission (such as `ssf.manage` and
 * `token:introspect`) and that the credential may not grant. They reach beyond any organization, so granting
 * them requires what `mayVouch` requires.
 */
export function reservedBeyond(
  actorPermissions: EffectivePermissions,
  scopes: readonly string[],
): readonly string[] {
  if (mayVouch(actorPermissions)) return [];
  return scopes.filter((scope) => isReservedScope(scope) && permissionsOf([scope]).size === 0);
}

export interface Owner {
  readonly user_id: string | null;
  readonly organization_id: string | null;
}

/**
 * Returns, for each owner of an API key, the permissions that the key can have at most, and those among them
 * that the actor may grant.
 */
export async function powersOf(
  reads: Reads,
  actorPermissions: EffectivePermissions,
  { user_id, organization_id }: Owner,
): Promise<{ owner: Permissions; mine: Permissions }[]> {
  const powers: { owner: Permissions; mine: Permissions }[] = [];
  if (organization_id !== null) {
    powers.push({
      owner: machinePermissions,
      mine: both(machinePermissions, mayGive(actorPermissions, { organization_id })),
    });
  }
  if (user_id !== null) {
    const isSelf = user_id === actorPermissions.user_id;
    const user = isSelf ? undefined : await reads.find("users", { id: user_id });
    // A key outlives the credential that created it, so its owner's permissions are computed without the
    // limits of that credential.
    const whole = isSelf
      ? { ...actorPermissions, allowed: everything }
      : user && (await permissionsOfUser(reads, user));
    const owner = whole === undefined ? nothing : permissionsAnywhere(whole);
    powers.push({ owner, mine: both(owner, mayGive(actorPermissions, { user_id })) });
  }
  return powers;
}

/**
 * Returns the permissions and reserved scopes that these scopes contain and that the actor could not grant.
 * Permissions that the owner does not hold are ignored, because a key cannot use them.
 */
export async function beyondOwner(
  reads: Reads,
  actorPermissions: EffectivePermissions,
  owner: Owner,
  scopes: readonly string[],
): Promise<string[]> {
  const reserved = reservedBeyond(actorPermissions, scopes);
  const carried = permissionsOf(scopes);
  if (carried.size === 0) return [...reserved];
  const powers = await powersOf(reads, actorPermissions, owner);
  return [...powers.flatMap(({ owner: theirs, mine }) => without(both(carried, theirs), mine)), ...reserved];
}

interface Holder {
  readonly scopes: readonly string[];
  readonly organization_id: string | null;
  /** Whether users may let the app act for them, with all of their permissions. */
  readonly actsForUsers: boolean;
}

/**
 * Returns the holder's permissions and reserved scopes that the actor could not grant. An actor with a secret
 * for an app, a key for an account, or control over where an app's codes are sent could use the holder's
 * scopes. A client without an organization acts on the whole server. So does a client that acts for users,
 * because some users may hold every permission.
 */
export function beyondActor(
  actorPermissions: EffectivePermissions,
  { scopes, organization_id, actsForUsers }: Holder,
): string[] {
  const carried = permissionsOf(scopes);
  const beyond =
    actsForUsers || organization_id === null
      ? without(carried, mayGive(actorPermissions, "everywhere"))
      : without(both(carried, machinePermissions), mayGive(actorPermissions, { organization_id }));
  return [...beyond, ...reservedBeyond(actorPermissions, scopes)];
}
