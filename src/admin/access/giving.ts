/**
 * Decides which permissions the credential of a request may grant. A credential can never grant more than it
 * allows itself, even if the user who owns it may do more.
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

/** Returns the permissions that this credential may grant; `reach` says where the grant takes effect. */
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
 * Returns whether the actor may change the password or email address of this user. Either change gives
 * control of the user's account.
 */
export function mayGiveAccount(actorPermissions: EffectivePermissions, user_id: string): boolean {
  if (actorPermissions.user_id !== user_id) return actorPermissions.platform && isUnlimited(actorPermissions);
  const whole = permissionsAnywhere({ ...actorPermissions, allowed: everything });
  return without(whole, mayGive(actorPermissions, { user_id })).length === 0;
}

/**
 * Returns whether the credential belongs to a platform administrator and includes every permission. This is
 * required to mark an app as trusted by all users (`first_party`) and for similar server-wide settings.
 */
export function mayVouch(actorPermissions: EffectivePermissions): boolean {
  return actorPermissions.platform && isUnlimited(actorPermissions);
}

/**
 * Returns the reserved scopes without a management permission, such as `ssf.manage`, that the credential may
 * not grant. They apply to the whole server, so only credentials that pass `mayVouch` may grant them.
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
 * Returns one entry for the user and one for the organization that own an API key, as far as they are set.
 * `owner` contains the permissions that the key can have at most, and `mine` those among them that the actor
 * may grant.
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
    // The user's own permissions are not limited to those of the credential that sent this request, but
    // `mine` is limited to them.
    const whole = isSelf
      ? { ...actorPermissions, allowed: everything }
      : user && (await permissionsOfUser(reads, user));
    const owner = whole === undefined ? nothing : permissionsAnywhere(whole);
    powers.push({ owner, mine: both(owner, mayGive(actorPermissions, { user_id })) });
  }
  return powers;
}

/**
 * Returns the permissions and reserved scopes in `scopes` that the actor may not grant to a key of this
 * owner. Permissions that the owner lacks are ignored, because the key cannot use them.
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
  /**
   * Whether the app uses the authorization code grant, and so acts with the permissions of any user who
   * consents.
   */
  readonly actsForUsers: boolean;
}

/**
 * Returns the permissions and reserved scopes of an app or service account that the actor may not grant. An
 * actor who created a credential for it, or redirected its authorization codes, could use them.
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
