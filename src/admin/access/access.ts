/** Whether the actor may do a thing with a record, and which records it sees in a list. */
import { Problem } from "../../errors.ts";
import { isUuid } from "../../records/check.ts";
import type { TableName } from "../../records/definition.ts";
import {
  type Permission,
  type ResourceType,
  rolePermissions,
  scopeOf,
  selfPermissions,
} from "../../records/permissions.ts";
import type { Owner } from "../../storage/ownership.ts";
import { type Input, notFound, nounOf } from "../faults.ts";
import { type AdminContext, authorityOf, type EffectivePermissions } from "./actor.ts";

/** What belongs to nobody: only a platform administrator holds anything there. */
const unowned: Owner = { organization_ids: [], user_id: null };

const own: ReadonlySet<Permission> = new Set(selfPermissions);

/**
 * The permissions that somebody who is no platform administrator can hold anywhere, without being given them
 * one by one.
 */
const grantable: ReadonlySet<Permission> = new Set([
  ...selfPermissions,
  ...Object.values(rolePermissions).flat(),
]);

/** Everything that the actor may do with what belongs to this organization. */
export function permissionsIn(
  { platform, organizations, allowed }: EffectivePermissions,
  organization_id: string,
): ReadonlySet<Permission> {
  const grants = organizations.get(organization_id)?.grants;
  return new Set([...allowed].filter((permission) => platform || grants?.has(permission)));
}

/** Everything that the actor may do with anything: its own things, or those of some organization. */
export function permissionsAnywhere({
  platform,
  user_id,
  organizations,
  allowed,
}: EffectivePermissions): ReadonlySet<Permission> {
  const grants = [...organizations.values()];
  return new Set(
    [...allowed].filter(
      (permission) =>
        platform ||
        (user_id !== null && own.has(permission)) ||
        grants.some((held) => held.grants.has(permission)),
    ),
  );
}

/** Whether the actor may do this with what is at this place. */
export function hasPermission(
  authority: EffectivePermissions,
  permission: Permission,
  place: Owner,
): boolean {
  const { platform, user_id, organizations, allowed } = authority;
  if (!allowed.has(permission)) return false;
  if (platform) return true;
  if (user_id !== null && place.user_id === user_id && own.has(permission)) return true;
  return place.organization_ids.some((id) => organizations.get(id)?.grants.has(permission) === true);
}

function readOf(permission: Permission): Permission {
  return permission.replace(/:write$/, ":read") as Permission;
}

/** Throws 403 when the scopes of the credential leave this out; that says nothing about any record. */
function demandScope({ allowed }: EffectivePermissions, permission: Permission): void {
  if (allowed.has(permission)) return;
  throw new Problem(403, "forbidden", `this needs the scope ${scopeOf(permission)}`);
}

function refused(permission: Permission): Problem {
  return new Problem(403, "forbidden", `this needs the permission ${permission} here`);
}

/**
 * Throws unless the actor may do this with the record of this id, or with what will be at this place: 403
 * `forbidden` when its scopes leave it out or it may only read there, 404 `not_found` when it may not even
 * read, so that a guessed id of somebody else's record and one that never was are answered alike. `name` is
 * what the 404 calls the record.
 */
export async function requirePermission(
  context: Pick<AdminContext, "actor" | "store">,
  permission: Permission,
  table: TableName,
  subject: string | Owner,
  { name }: { readonly name?: string } = {},
): Promise<Owner> {
  const authority = await authorityOf(context);
  demandScope(authority, permission);
  const called = name ?? (typeof subject === "string" ? subject : undefined);
  const missing = () =>
    called === undefined
      ? new Problem(404, "not_found", `there is no place of this id for the ${nounOf(table)}`)
      : notFound(table, called);
  const place = typeof subject === "string" ? await placeOf(context, table, subject) : subject;
  if (place === undefined) throw missing();
  if (hasPermission(authority, permission, place)) return place;
  const hidden = place.organization_ids.length > 0 || place.user_id !== null || typeof subject === "string";
  throw hidden && !hasPermission(authority, readOf(permission), place) ? missing() : refused(permission);
}

/** Whether the actor may do this with the record of this id: what `demand` asks, without a throw. */
export async function mayDo(
  context: Pick<AdminContext, "actor" | "store">,
  permission: Permission,
  table: TableName,
  id: string,
): Promise<boolean> {
  const place = await placeOf(context, table, id);
  return place !== undefined && hasPermission(await authorityOf(context), permission, place);
}

async function placeOf(
  { store }: Pick<AdminContext, "store">,
  table: TableName,
  id: string,
): Promise<Owner | undefined> {
  return isUuid(id) ? store.placeOf(table, id.toLowerCase()) : undefined;
}

/**
 * Throws unless the actor may add a record like this, which says itself where it will belong: like `demand`,
 * with 404 `not_found` for an organization, app or account that it may not even see. To be called before what
 * the record refers to is looked for. A reference that the record needs and that is none is left to the
 * record's own check, for who may make such a record anywhere.
 */
export async function requirePermissionForNew(
  context: Pick<AdminContext, "actor" | "store">,
  permission: Permission,
  table: TableName,
  draft: Input,
): Promise<void> {
  const authority = await authorityOf(context);
  demandScope(authority, permission);
  const place = await placeOfNew(context.store, table, draft);
  if (place !== "unsaid") await requirePermission(context, permission, table, place);
  else if (!permissionsAnywhere(authority).has(permission)) throw refused(permission);
}

/**
 * Whether there is any place where the actor may add a record to this table: what `demandNew` would let pass.
 */
export async function mayAddSomewhere(
  context: Pick<AdminContext, "actor" | "store">,
  permission: Permission,
  table: TableName,
): Promise<boolean> {
  const authority = await authorityOf(context);
  const { platform, allowed, organizations, user_id } = authority;
  if (platform || !allowed.has(permission)) return platform && allowed.has(permission);
  const drafts: Input[] = [
    {},
    { user_id },
    ...[unknownOwner.organization_ids[0], ...organizations.keys()].map((organization_id) => ({
      organization_id,
    })),
  ];
  const said = await Promise.all(drafts.map((draft) => placeOfNew(context.store, table, draft)));
  const places = said.filter((place) => place !== "unsaid");
  // What hangs on another record says nothing before that one is chosen.
  if (places.length === 0) return permissionsAnywhere(authority).has(permission);
  return places.some((place) => hasPermission(authority, permission, place));
}

/** Where a record will belong that is about to be made; "unsaid" when it does not say so as it must. */
async function placeOfNew(
  store: Pick<AdminContext["store"], "placeOf">,
  table: TableName,
  draft: Input,
): Promise<Owner | "unsaid"> {
  const { user_id, organization_id, app_id, service_account_id } = draft;
  const inOrganization = (id: unknown): Owner | "unsaid" =>
    isUuid(id) ? { organization_ids: [id.toLowerCase()], user_id: null } : "unsaid";
  const ofUser = (id: unknown): Owner | "unsaid" =>
    isUuid(id) ? { organization_ids: [], user_id: id.toLowerCase() } : "unsaid";
  const ofParent = async (parent: TableName, id: unknown): Promise<Owner | "unsaid"> =>
    isUuid(id) ? ((await store.placeOf(parent, id.toLowerCase())) ?? unknownOwner) : "unsaid";
  switch (table) {
    case "memberships":
    case "service_accounts":
      return inOrganization(organization_id);
    case "oauth_apps":
      return organization_id == null ? unowned : inOrganization(organization_id);
    case "api_keys":
      return organization_id == null ? ofUser(user_id) : inOrganization(organization_id);
    case "oauth_accounts":
    case "oauth_consents":
      return ofUser(user_id);
    case "oauth_app_secrets":
      return ofParent("oauth_apps", app_id);
    case "service_account_key_pairs":
      return ofParent("service_accounts", service_account_id);
    default:
      return unowned;
  }
}

/**
 * The place of what hangs on a record that is not there: nobody but a platform administrator may read
 * anything at it.
 */
const unknownOwner: Owner = { organization_ids: ["00000000-0000-0000-0000-000000000000"], user_id: null };

/** What `ListQuery.visible` of `src/storage/listing/listing.ts` takes. */
export interface Visible {
  readonly organization_ids: readonly string[];
  readonly user_id: string | null;
}

/**
 * Whose records of a resource type the actor sees in a list; undefined when it sees them all. Throws 403
 * `forbidden` when its scopes leave the resource type out, or nobody but a platform administrator can read
 * it.
 */
export async function visibility(
  context: Pick<AdminContext, "actor" | "store">,
  resourceType: ResourceType,
): Promise<Visible | undefined> {
  const authority = await authorityOf(context);
  const permission: Permission = `${resourceType}:read`;
  demandScope(authority, permission);
  if (authority.platform) return undefined;
  if (!grantable.has(permission)) throw refused(permission);
  return {
    organization_ids: [...authority.organizations]
      .filter(([, { grants }]) => grants.has(permission))
      .map(([id]) => id),
    user_id: own.has(permission) ? authority.user_id : null,
  };
}
