import { detail } from "../../errors/details.ts";
import { Problem } from "../../errors.ts";
import type { TableName } from "../../records/definition/definition.ts";
import { belongsToOrganizations, type Owner } from "../../records/definition/ownership.ts";
import {
  type Permission,
  type ResourceType,
  rolePermissions,
  scopeOf,
  selfPermissions,
} from "../../records/definition/permissions.ts";
import { isUuid } from "../../records/formats/check.ts";
import { type AdminContext, type EffectivePermissions, permissionsOfActor } from "./actor.ts";
import { type Input, notFound, nounOf } from "./errors.ts";
import { ownerOfNew, unknownOwner } from "./owners.ts";

const own: ReadonlySet<Permission> = new Set(selfPermissions);

const grantable: ReadonlySet<Permission> = new Set([
  ...selfPermissions,
  ...Object.values(rolePermissions).flat(),
]);

/**
 * Returns the permissions that the actor's roles and credential give for the records of this organization.
 */
export function permissionsIn(
  { platform, organizations, allowed }: EffectivePermissions,
  organization_id: string,
): ReadonlySet<Permission> {
  const permissions = organizations.get(organization_id)?.permissions;
  return new Set([...allowed].filter((permission) => platform || permissions?.has(permission)));
}

/** Returns the permissions that the actor has for at least one record. */
export function permissionsAnywhere({
  platform,
  user_id,
  organizations,
  allowed,
}: EffectivePermissions): ReadonlySet<Permission> {
  const permissions = [...organizations.values()];
  return new Set(
    [...allowed].filter(
      (permission) =>
        platform ||
        (user_id !== null && own.has(permission)) ||
        permissions.some((held) => held.permissions.has(permission)),
    ),
  );
}

export function hasPermission(
  actorPermissions: EffectivePermissions,
  permission: Permission,
  owner: Owner,
): boolean {
  const { platform, user_id, organizations, allowed } = actorPermissions;
  if (!allowed.has(permission)) return false;
  if (platform) return true;
  if (user_id !== null && owner.user_id === user_id && own.has(permission)) return true;
  return owner.organization_ids.some((id) => organizations.get(id)?.permissions.has(permission) === true);
}

function readOf(permission: Permission): Permission {
  return permission.replace(/:write$/, ":read") as Permission;
}

/**
 * Throws 403 `forbidden` if the credential's scopes exclude this permission. `requirePermission` also checks
 * the owner of a record.
 */
export function requireScope({ allowed }: EffectivePermissions, permission: Permission): void {
  if (allowed.has(permission)) return;
  throw new Problem("forbidden", detail("scope_needed", { scope: scopeOf(permission) }));
}

function refused(permission: Permission): Problem {
  return new Problem("forbidden", detail("permission_needed", { permission }));
}

/**
 * Returns the owner of the record; throws unless the actor has the permission for it. `subject` is the
 * record's id, or the owner of a record that does not exist yet. Throws 403 `forbidden` or 404 `not_found`;
 * 404 hides the record from an actor who may not read it.
 */
export async function requirePermission(
  context: Pick<AdminContext, "actor" | "store">,
  permission: Permission,
  table: TableName,
  subject: string | Owner,
  { name }: { readonly name?: string } = {},
): Promise<Owner> {
  const actorPermissions = await permissionsOfActor(context);
  requireScope(actorPermissions, permission);
  const called = name ?? (typeof subject === "string" ? subject : undefined);
  const missing = () =>
    called === undefined
      ? new Problem("not_found", detail("no_owner_of_id", { record: nounOf(table) }))
      : notFound(table, called);
  const owner = typeof subject === "string" ? await ownerOf(context, table, subject) : subject;
  if (owner === undefined) throw missing();
  if (hasPermission(actorPermissions, permission, owner)) return owner;
  const hidden = owner.organization_ids.length > 0 || owner.user_id !== null || typeof subject === "string";
  throw hidden && !hasPermission(actorPermissions, readOf(permission), owner)
    ? missing()
    : refused(permission);
}

/** Returns whether the actor has the permission for the record with this id. */
export async function mayDo(
  context: Pick<AdminContext, "actor" | "store">,
  permission: Permission,
  table: TableName,
  id: string,
): Promise<boolean> {
  const owner = await ownerOf(context, table, id);
  return owner !== undefined && hasPermission(await permissionsOfActor(context), permission, owner);
}

async function ownerOf(
  { store }: Pick<AdminContext, "store">,
  table: TableName,
  id: string,
): Promise<Owner | undefined> {
  return isUuid(id) ? store.ownerOf(table, id.toLowerCase()) : undefined;
}

/**
 * Throws 403 `forbidden` or 404 `not_found` unless the actor may add the record that `draft` describes. If
 * the draft does not identify the owner, permission for at least one owner suffices.
 */
export async function requirePermissionForNew(
  context: Pick<AdminContext, "actor" | "store">,
  permission: Permission,
  table: TableName,
  draft: Input,
): Promise<void> {
  const actorPermissions = await permissionsOfActor(context);
  requireScope(actorPermissions, permission);
  const owner = await ownerOfNew(context.store, table, draft);
  if (owner !== "undetermined") await requirePermission(context, permission, table, owner);
  else if (!permissionsAnywhere(actorPermissions).has(permission)) throw refused(permission);
}

/** Returns whether the actor may add a record to this table for at least one owner. */
export async function mayAddSomewhere(
  context: Pick<AdminContext, "actor" | "store">,
  permission: Permission,
  table: TableName,
): Promise<boolean> {
  const actorPermissions = await permissionsOfActor(context);
  const { platform, allowed, organizations, user_id } = actorPermissions;
  if (platform || !allowed.has(permission)) return platform && allowed.has(permission);
  const drafts: Input[] = [
    {},
    { user_id },
    ...[unknownOwner.organization_ids[0], ...organizations.keys()].map((organization_id) => ({
      organization_id,
    })),
  ];
  const said = await Promise.all(drafts.map((draft) => ownerOfNew(context.store, table, draft)));
  const owners = said.filter((owner) => owner !== "undetermined");
  // The records of this table get their owner from a record that the draft names later, such as an app. Until
  // then, the permission for any owner suffices.
  if (owners.length === 0) return permissionsAnywhere(actorPermissions).has(permission);
  return owners.some((owner) => hasPermission(actorPermissions, permission, owner));
}

/**
 * Returns the owners whose records of a resource type the actor sees in a list; undefined for all owners.
 * Throws 403 `forbidden` if the actor's scopes omit the resource type. Also throws it if only platform
 * administrators can read the resource type and the actor is none.
 */
export async function visibility(
  context: Pick<AdminContext, "actor" | "store">,
  resourceType: ResourceType,
): Promise<Owner | undefined> {
  const actorPermissions = await permissionsOfActor(context);
  const permission: Permission = `${resourceType}:read`;
  requireScope(actorPermissions, permission);
  if (actorPermissions.platform) return undefined;
  if (!grantable.has(permission)) throw refused(permission);
  return {
    organization_ids: [...actorPermissions.organizations]
      .filter(([, { permissions }]) => permissions.has(permission))
      .map(([id]) => id),
    user_id: own.has(permission) ? actorPermissions.user_id : null,
  };
}

/**
 * Narrows `seen`, the owners whose records an actor may list (undefined: all owners), to one organization.
 * Returns an owner without records if the actor may not see that organization (H-51). Returns `seen`
 * unchanged without `organization_id`, or if the table's records do not belong to organizations.
 */
export function narrowedTo(
  organization_id: string | undefined,
  table: TableName,
  seen: Owner | undefined,
): Owner | undefined {
  if (organization_id === undefined || !belongsToOrganizations(table)) return seen;
  const isTheirs = seen === undefined || seen.organization_ids.includes(organization_id);
  return { organization_ids: isTheirs ? [organization_id] : [], user_id: null };
}

/** Throws 403 `forbidden` unless the actor administers the platform. */
export async function requirePlatform(context: Pick<AdminContext, "actor" | "store">): Promise<void> {
  const { platform } = await permissionsOfActor(context);
  if (!platform) throw new Problem("forbidden", detail("platform_only"));
}
