/**
 * Computes columns that callers cannot set, because the server derives them from other fields or from the
 * actor.
 */

import type {
  APIKey,
  AttributeDefinition,
  NewRow,
  OAuthApp,
  Role,
  Row,
  TableName,
  User,
} from "../../records/definition/definition.ts";
import { usernameAfterEmail, usernameKey } from "../../records/rules/attributes.ts";
import type { Transaction } from "../../storage/database/database.ts";
import { type AdminContext, permissionsOfActor } from "./actor.ts";
import { invalidRecord } from "./errors.ts";
import { scopeOwnersOfChange, scopeOwnersOfNew } from "./plain_scopes.ts";
import { providerOfLink } from "./provider_of_link.ts";
import { requireUnheldName, requireValues, usedNameErrors } from "./used_names.ts";

const switchedOffTables: readonly TableName[] = ["oauth_apps", "service_accounts", "providers"];

export async function ownColumnsOfNew<T extends TableName>(
  reads: Transaction,
  context: AdminContext,
  table: T,
  record: NewRow<T>,
): Promise<Partial<Row<T>>> {
  const actorPermissions = await permissionsOfActor(context);
  let own: object = {};
  if (table === "api_keys")
    own = await scopeOwnersOfNew(reads, actorPermissions, record as NewRow<"api_keys">);
  if (table === "oauth_accounts") own = await providerOfLink(reads, record as NewRow<"oauth_accounts">);
  if (switchedOffTables.includes(table)) own = switchedOffBy(actorPermissions.platform, record as Switch);
  if (table === "users") own = usernameIn(record as NewRow<"users">);
  if (table === "roles") await requireUnheldName(reads, context, record as NewRow<"roles">);
  if (table === "attribute_definitions")
    own = await ownOfDefinition(reads, context, record as NewRow<"attribute_definitions">);
  return own as Partial<Row<T>>;
}

export async function ownColumnsOfChange<T extends TableName>(
  reads: Transaction,
  context: AdminContext,
  table: T,
  current: Row<T>,
  changes: Partial<Row<T>>,
  at: Date,
): Promise<Partial<Row<T>>> {
  const actorPermissions = await permissionsOfActor(context);
  let own: object = {};
  if (table === "api_keys") {
    const [key, its] = [current as APIKey, changes as Partial<APIKey>];
    own = await scopeOwnersOfChange(reads, actorPermissions, key, its);
  }
  if (switchedOffTables.includes(table)) own = switchedOffBy(actorPermissions.platform, changes as Switch);
  if (table === "users") own = ownOfUser(current as User, changes as Partial<User>, at);
  if (table === "roles" && (changes as Partial<Role>).name !== undefined)
    await requireUnheldName(reads, context, { ...(current as Role), ...(changes as Partial<Role>) });
  if (table === "attribute_definitions")
    own = await ownOfDefinition(
      reads,
      context,
      { ...(current as AttributeDefinition), ...(changes as Partial<AttributeDefinition>) },
      current as AttributeDefinition,
    );
  return own as Partial<Row<T>>;
}

type Switch = Partial<Pick<OAuthApp, "active">>;

function switchedOffBy(platform: boolean, { active }: Switch): Partial<OAuthApp> {
  return active === undefined ? {} : { switched_off_by_platform: platform && !active };
}

/** Returns whether the record is inactive because a platform administrator deactivated it. */
export async function isHeldOff(
  { store }: Pick<AdminContext, "store">,
  table: TableName,
  { id, active }: { readonly [name: string]: unknown },
): Promise<boolean> {
  if (active !== false || !switchedOffTables.includes(table)) return false;
  const row = await store.find(table as "oauth_apps", { id: String(id) });
  return row?.switched_off_by_platform === true;
}

/**
 * Returns `switched_off_by_platform` if a platform administrator deactivates a record that is already
 * inactive, otherwise no column.
 */
export async function heldOff(
  context: Pick<AdminContext, "actor" | "store">,
  table: TableName,
  current: object,
  requested: { readonly active?: unknown },
): Promise<{ switched_off_by_platform?: true }> {
  if (!switchedOffTables.includes(table)) return {};
  const { active } = current as Pick<OAuthApp, "active">;
  const { platform } = await permissionsOfActor(context);
  const isHeld = platform && requested.active === false && !active;
  return isHeld ? { switched_off_by_platform: true } : {};
}

/**
 * If the email address changes or the user becomes a platform administrator, older password reset links stop
 * working (G-6). A new email address is unverified (SS-5).
 */
function ownOfUser(
  current: User,
  { email, is_platform_admin, active, ...others }: Partial<User>,
  at: Date,
): Partial<User> {
  const isMoved = email !== undefined && email !== current.email;
  return {
    ...usernameIn(others),
    ...((email !== undefined || is_platform_admin === true) && { reset_links_not_before: at }),
    ...(isMoved && { email_verified_at: null }),
    ...(isMoved && usernameAfterEmail({ ...current, ...others, email, email_verified_at: null })),
    // Reactivating a user cancels their pending deletion (SS-12).
    ...(active === true && { deletion_at: null }),
  };
}

function usernameIn({ attributes }: Partial<User>): Partial<User> {
  return attributes === undefined ? {} : { username_key: usernameKey(attributes) };
}

async function ownOfDefinition(
  tx: Transaction,
  context: AdminContext,
  definition: NewRow<"attribute_definitions">,
  before?: AttributeDefinition,
): Promise<Partial<AttributeDefinition>> {
  const errors = await usedNameErrors(tx, context, definition, before);
  if (errors.length > 0) throw invalidRecord("attribute_definitions", errors);
  await requireValues(tx, context, definition, before);
  return keysOfDefinition(definition);
}

/** These keys have unique indexes. */
function keysOfDefinition({
  organization_id = null,
  record_type,
  name,
  claim = null,
}: NewRow<"attribute_definitions">): Partial<AttributeDefinition> {
  const owner = organization_id ?? "server";
  return {
    name_key: `${owner} ${record_type} ${name}`,
    claim_key: claim === null ? null : `${owner} ${claim}`,
  };
}
