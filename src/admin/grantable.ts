/** What somebody may give to others: nothing that they, or the owner it is given to, do not hold. */
import type { FieldFault } from "../errors.ts";
import type { Membership } from "../records/definition.ts";
import { isReservedScope, openidScopes, roles } from "../records/names.ts";
import { managementScopes, type Permission, permissionsOf, roleGrants } from "../records/permissions.ts";
import type { Verbs } from "../storage/verbs.ts";
import { heldAnywhere, heldIn } from "./access.ts";
import { type Authority, authorityOfUser, grantsOf, isUnlimited } from "./actor.ts";
import { givenScopes } from "./plain_scopes.ts";

type Reads = Pick<Verbs, "find" | "list">;

/** Whose power a key or an account has: a user's, an organization's, or both. */
export interface Owner {
  readonly user_id: string | null;
  readonly organization_id: string | null;
}

type Permissions = ReadonlySet<Permission>;

const openid: ReadonlySet<string> = new Set(openidScopes);

/** How high a role is: 0 is the highest. A role that this server does not know is below all others. */
function rankOf(role: string | undefined): number {
  const rank = (roles as readonly string[]).indexOf(role ?? "");
  return rank === -1 ? roles.length : rank;
}

/** Whether a role of the organization is above the actor's own there. */
export function isAbove(role: string, authority: Authority, organization_id: string): boolean {
  return !authority.platform && rankOf(role) < rankOf(authority.organizations.get(organization_id)?.role);
}

/**
 * Faults of a membership (spec 2.3) as it will be: a role above the actor's own, or a permission in that organization which
 * they do not hold. What it had `before` stays as it is.
 */
export function membershipFaults(
  authority: Authority,
  after: Pick<Membership, "organization_id" | "role" | "permissions">,
  before?: Pick<Membership, "role" | "permissions">,
): FieldFault[] {
  const held = heldIn(authority, after.organization_id);
  const had = before === undefined ? undefined : grantsOf(before);
  const isBeyond = (permission: Permission) => !held.has(permission) && !had?.has(permission);
  const faults: FieldFault[] = [];
  if (after.role !== before?.role && isAbove(after.role, authority, after.organization_id)) {
    faults.push({ path: "/role", message: "is above your own" });
  } else {
    const beyond = [...grantsOf({ role: after.role, permissions: null })].filter(isBeyond);
    if (beyond.length > 0) {
      faults.push({ path: "/role", message: `would grant what you do not hold: ${beyond.join(", ")}` });
    }
  }
  for (const [index, permission] of (after.permissions ?? []).entries()) {
    if ([...grantsOf({ role: "", permissions: [permission] })].some(isBeyond)) {
      faults.push({ path: `/permissions/${index}`, message: "is a permission that you do not hold" });
    }
  }
  return faults;
}

/** What a machine can do within its organization, as far as its scopes go. */
const machineGrants: Permissions = new Set(roleGrants.admin);

function both(one: Permissions, other: Permissions): Permissions {
  return new Set([...one].filter((permission) => other.has(permission)));
}

/** For each owner what its keys could do at most, and what of it is the actor's to give. */
async function powersOf(
  reads: Reads,
  authority: Authority,
  { user_id, organization_id }: Owner,
): Promise<{ owner: Permissions; mine: Permissions }[]> {
  const powers: { owner: Permissions; mine: Permissions }[] = [];
  if (organization_id !== null) {
    powers.push({ owner: machineGrants, mine: both(machineGrants, heldIn(authority, organization_id)) });
  }
  if (user_id !== null && user_id === authority.user_id) {
    const owner = heldAnywhere(authority);
    powers.push({ owner, mine: owner });
  } else if (user_id !== null) {
    const user = await reads.find("users", { id: user_id });
    const owner: Permissions =
      user === undefined ? new Set() : heldAnywhere(await authorityOfUser(reads, user));
    powers.push({ owner, mine: authority.platform ? both(owner, authority.allowed) : new Set() });
  }
  return powers;
}

/**
 * Faults of the scopes of an API key or a service account, but for those it `had`. A management scope must carry nothing
 * that the owner or the actor does not hold; any other is given through an app (`givenScopes`). A platform administrator
 * gives a management scope that carries anything at all that the owner holds, because a key does no more than its owner may.
 */
export async function scopeFaults(
  reads: Reads,
  authority: Authority,
  owner: Owner,
  field: string,
  scopes: readonly string[],
  had: readonly string[] = [],
): Promise<FieldFault[]> {
  const added = scopes.flatMap((scope, index) => (had.includes(scope) ? [] : [{ scope, index }]));
  if (added.length === 0) return [];
  const powers = await powersOf(reads, authority, owner);
  const given = added.some(({ scope }) => !isReservedScope(scope))
    ? await givenScopes(reads, authority, owner)
    : undefined;

  function faultOf(scope: string): string | undefined {
    if (!isReservedScope(scope)) {
      return given?.ownersOf(scope).length ? undefined : "is allowed to no app through which you may give it";
    }
    const carried = permissionsOf([scope]);
    if (carried.size === 0) {
      return authority.platform && isUnlimited(authority)
        ? undefined
        : "is reserved: only a platform administrator may give it";
    }
    for (const { owner: theirs, mine } of powers) {
      const useful = both(carried, theirs);
      if (useful.size === 0 || (!authority.platform && useful.size < carried.size)) {
        return "is wider than what the owner may do";
      }
      if (both(useful, mine).size < useful.size) return "is wider than what you may do";
    }
    return powers.length === 0 ? "gives power to nobody: there is no owner" : undefined;
  }

  return added.flatMap(({ scope, index }) => {
    const message = faultOf(scope);
    return message === undefined ? [] : [{ path: `/${field}/${index}`, message }];
  });
}

/** Apps whose scopes are offered: an owner may have very many. */
const mostApps = 200;

/**
 * Every scope that the actor may give to a new API key of this owner, by the same rules: management scopes first, then those
 * that the owner's newest 200 apps may ask for. Those of OpenID Connect are left out, for a key is no sign-in.
 */
export async function grantableScopes(
  reads: Reads,
  authority: Authority,
  owner: Owner,
): Promise<readonly string[]> {
  const { known } = await givenScopes(reads, authority, owner, mostApps);
  const ofApps = known.filter((scope) => !openid.has(scope));
  // The others are an app's already, which is all that the rules ask of them.
  const reserved = [...new Set([...managementScopes, ...ofApps.filter(isReservedScope)])];
  const faults = await scopeFaults(reads, authority, owner, "scopes", reserved);
  const refused = new Set(faults.map(({ path }) => path));
  const given = reserved.filter((_, index) => !refused.has(`/scopes/${index}`));
  return [...given, ...ofApps.filter((scope) => !isReservedScope(scope))];
}

/**
 * Faults of an app's `allowed_scopes`, but for those it had: reserved ones are a platform administrator's to give (design
 * 6.7), and of management scopes only those that their own credential lets through.
 */
export function reservedScopeFaults(
  authority: Authority,
  scopes: readonly string[],
  had: readonly string[] = [],
): FieldFault[] {
  const message = "is reserved: only a platform administrator may give it";
  return scopes.flatMap((scope, index) => {
    if (!isReservedScope(scope) || had.includes(scope)) return [];
    if (!authority.platform) return [{ path: `/allowed_scopes/${index}`, message }];
    const carried = permissionsOf([scope]);
    const within =
      carried.size === 0 ? isUnlimited(authority) : both(carried, authority.allowed).size === carried.size;
    return within ? [] : [{ path: `/allowed_scopes/${index}`, message: "is wider than what you may do" }];
  });
}

/** A client or a service account, as far as it says what may be done with it. */
export interface Holder {
  readonly scopes: readonly string[];
  readonly organization_id: string | null;
  /** Users may let it act for them, which reaches as far as they do. */
  readonly actsForUsers: boolean;
}

/**
 * What the holder may do and the actor may not: who makes a secret for an app or a key for an account, or decides where an
 * app's codes are sent, can act with its scopes. Without an organization a client acts everywhere.
 */
export function beyondActor(
  authority: Authority,
  { scopes, organization_id, actsForUsers }: Holder,
): Permission[] {
  const carried = permissionsOf(scopes);
  const isEverywhere = actsForUsers || organization_id === null;
  const power = isEverywhere ? carried : both(carried, machineGrants);
  if (authority.platform) return [...power].filter((permission) => !authority.allowed.has(permission));
  const held = organization_id === null ? new Set<Permission>() : heldIn(authority, organization_id);
  return [...power].filter((permission) => !held.has(permission));
}
