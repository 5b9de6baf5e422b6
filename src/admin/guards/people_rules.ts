import { isArgon2id } from "../../crypto/passwords.ts";
import { detail } from "../../errors/details.ts";
import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { Membership, Organization } from "../../records/definition/definition.ts";
import { givenAudience } from "../../records/formats/organization_audience.ts";
import { isActive } from "../../records/names/liveness.ts";
import { administratorsLock, ownersLock } from "../../records/names/lock_names.ts";
import {
  identifierKey,
  isReservedName,
  namesOfOrganization,
} from "../../records/names/resource_identifiers.ts";
import { type EffectivePermissions, isUnlimited } from "../access/actor.ts";
import { invalidRecord } from "../access/errors.ts";
import { mayGive, mayGiveAccount } from "../access/giving.ts";
import { isAbove, membershipErrors } from "../access/grantable.ts";
import { customRoleErrors } from "./role_rules.ts";
import {
  type Change,
  forbidden,
  type GuardedTransaction,
  type Rules,
  refuseAny,
  refuseInvalid,
  vouchingErrors,
} from "./rules.ts";

type Reads = Pick<GuardedTransaction, "find" | "list">;

export async function hasOtherAdministrator(reads: Reads, id: string): Promise<boolean> {
  const administrators = await reads.list("users", { is_platform_admin: true, active: true });
  return administrators.some((user) => user.id !== id);
}

/** Throws 409 `last_administrator` unless an active platform administrator other than user `id` exists. */
export async function keepAdministrator(tx: GuardedTransaction, id: string): Promise<void> {
  await tx.lock(administratorsLock());
  if (await hasOtherAdministrator(tx, id)) return;
  throw new Problem("last_administrator", detail("last_administrator"));
}

/** Returns whether the organization has an active owner other than this member. */
export async function hasOtherOwner(reads: Reads, { id, organization_id }: Membership): Promise<boolean> {
  for (const owner of await reads.list("memberships", { organization_id, role: "owner" })) {
    if (owner.id !== id && isActive(await reads.find("users", { id: owner.user_id }))) return true;
  }
  return false;
}

async function keepOwner(tx: GuardedTransaction, membership: Membership): Promise<void> {
  await tx.lock(ownersLock(membership.organization_id));
  if (await hasOtherOwner(tx, membership)) return;
  throw new Problem("last_owner", detail("last_owner"));
}

/** Throws 409 `last_owner` unless every organization that the user owns has another active owner. */
export async function keepOwners(tx: GuardedTransaction, user_id: string): Promise<void> {
  const owned = await tx.list("memberships", { user_id, role: "owner" });
  // Locks are taken in a fixed order, so that two deletions cannot deadlock.
  owned.sort((one, other) => (one.organization_id < other.organization_id ? -1 : 1));
  for (const membership of owned) await keepOwner(tx, membership);
}

/**
 * A platform administrator has every permission, and a credential can grant only permissions that it
 * includes.
 */
function administratorErrors(actorPermissions: EffectivePermissions): FieldError[] {
  return isUnlimited(actorPermissions) ? [] : [fieldError("/is_platform_admin", "beyond_credential")];
}

/** A hash from another program: the server never saw the password, so no password rule has checked it. */
const isForeign = (password_hash: string | null | undefined) =>
  typeof password_hash === "string" && !isArgon2id(password_hash);

export const userRules: Rules<"users"> = {
  platform: {
    create: detail("platform_makes_users"),
    remove: detail("platform_deletes_users"),
    kept: { but: ["name", "avatar_url", "password_hash", "attributes"] },
  },

  onNew({ actorPermissions }, { is_platform_admin }) {
    if (is_platform_admin) refuseAny(administratorErrors(actorPermissions));
  },

  async onChange({ tx, actorPermissions, errors: found }, current, changes) {
    const isSelf = actorPermissions.user_id === current.id;
    if (!isSelf && !actorPermissions.platform) {
      throw forbidden(detail("platform_changes_users"));
    }
    const errors = [...found];
    if (actorPermissions.platform && changes.is_platform_admin) {
      errors.push(...administratorErrors(actorPermissions));
    }
    if (isSelf && changes.active === false && actorPermissions.platform) {
      errors.push(fieldError("/active", "self_switched_off"));
    }
    if (!actorPermissions.platform && isForeign(changes.password_hash))
      errors.push(fieldError("/password", "platform_only"));
    // A new password or email address gives control of the user's account.
    if (!mayGiveAccount(actorPermissions, current.id)) {
      const code = isSelf ? "own_full_credential_only" : "others_full_credential_only";
      for (const name of ["password_hash", "email"] as const) {
        const isNamed = errors.some(({ path }) => path === `/${name}`);
        if (changes[name] !== undefined && !isNamed) errors.push(fieldError(`/${name}`, code));
      }
    }
    if (changes.active === true && current.is_platform_admin && !isUnlimited(actorPermissions)) {
      errors.push(fieldError("/active", "administrator_full_credential_only"));
    }
    refuseAny(
      errors.map((error) => (error.path === "/password_hash" ? { ...error, path: "/password" } : error)),
    );
    const isAdministrator = current.is_platform_admin && isActive(current);
    if (isAdministrator && (changes.is_platform_admin === false || changes.active === false)) {
      await keepAdministrator(tx, current.id);
    }
  },

  async onRemoval({ tx, actorPermissions }, current) {
    if (actorPermissions.user_id === current.id) throw forbidden(detail("self_deletion"));
    if (current.is_platform_admin && isActive(current)) await keepAdministrator(tx, current.id);
    await keepOwners(tx, current.id);
  },
};

/**
 * Throws 403 `forbidden` unless the actor is an unrestricted platform administrator, because resource servers
 * of other owners may trust the audience. Throws 422 `invalid_record` if the audience identifies another
 * organization's API or is reserved.
 */
async function requireAudience(
  { tx, actorPermissions, errors: found }: Change,
  { id }: Pick<Organization, "id">,
  audience: string | undefined,
): Promise<void> {
  refuseAny([...found, ...vouchingErrors(actorPermissions, { "settings/audience": true })]);
  if (audience === undefined || audience === namesOfOrganization(id)) return;
  const key = identifierKey(audience) ?? audience;
  const [known] = await tx.list("resources", { identifier_key: key });
  const isOthers = known !== undefined && known.organization_id !== null && known.organization_id !== id;
  if (!isOthers && !isReservedName(key, id)) return;
  throw invalidRecord("organizations", [fieldError("/settings/audience", "reserved_identifier")]);
}

export const organizationRules: Rules<"organizations"> = {
  platform: {
    create: detail("platform_makes_organizations"),
    kept: ["plan", "active"],
    members: ["settings.audience"],
  },

  async onNew(change, { id, settings }) {
    const audience = givenAudience(settings);
    if (audience !== undefined) await requireAudience(change, { id }, audience);
  },

  async onChange(change, current, { settings = current.settings }) {
    const audience = givenAudience(settings);
    if (audience !== givenAudience(current.settings)) await requireAudience(change, current, audience);
  },

  refusesRemoval: ({ organizations }, id) =>
    organizations.get(id)?.role === "owner" ? undefined : detail("owner_deletes_organization"),
};

function requireManagement(actorPermissions: EffectivePermissions, organization_id: string): void {
  if (mayGive(actorPermissions, { organization_id }).has("memberships:write")) return;
  throw forbidden(detail("permission_needed_in_organization", { permission: "memberships:write" }));
}

function requireReach(actorPermissions: EffectivePermissions, { role, organization_id }: Membership): void {
  if (isAbove(role, actorPermissions, organization_id)) {
    throw forbidden(detail("membership_above", { role }));
  }
}

export const membershipRules: Rules<"memberships"> = {
  async onNew({ tx, actorPermissions }, { organization_id, role, permissions = null }) {
    requireManagement(actorPermissions, organization_id);
    refuseAny(membershipErrors(actorPermissions, { organization_id, role, permissions }));
    refuseInvalid("memberships", await customRoleErrors(tx, { organization_id, role }));
  },

  async onChange({ tx, actorPermissions }, current, changes) {
    requireManagement(actorPermissions, current.organization_id);
    requireReach(actorPermissions, current);
    const after = { ...current, ...changes };
    requireManagement(actorPermissions, after.organization_id);
    refuseAny(membershipErrors(actorPermissions, after, current));
    if (changes.role !== undefined) refuseInvalid("memberships", await customRoleErrors(tx, after));
    const leaves = after.role !== "owner" || after.organization_id !== current.organization_id;
    if (current.role === "owner" && leaves) await keepOwner(tx, current);
  },

  async onRemoval({ tx, actorPermissions }, current) {
    if (actorPermissions.user_id !== current.user_id) {
      requireManagement(actorPermissions, current.organization_id);
      requireReach(actorPermissions, current);
    }
    if (current.role === "owner") await keepOwner(tx, current);
  },
};

/**
 * Users link an external account by signing in at its provider, so only platform administrators may create
 * linked accounts directly.
 */
export const linkedAccountRules: Rules<"oauth_accounts"> = {
  platform: {
    create: detail("platform_links_accounts"),
    kept: { but: ["access_token", "refresh_token", "expires_at"] },
  },

  onNew({ actorPermissions }, { user_id }) {
    // Signing in with the linked account gives control of the user's account.
    if (mayGiveAccount(actorPermissions, user_id)) return;
    refuseAny([fieldError("/user_id", "full_credential_only")]);
  },
};
