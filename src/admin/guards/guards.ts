/**
 * Checks the content of a change; `access.ts` checks who may make it. Call `guardNew`, `guardChange` or
 * `guardRemoval` in the transaction, on the locked row, before writing. They throw 403 `forbidden`, 404
 * `not_found`, 422 `invalid_record`, and 409 `last_owner`, `last_administrator` or `conflict`.
 */
import { type Detail, detail } from "../../errors/details.ts";
import { type Reason, reason } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { NewRow, Row, TableName, User } from "../../records/definition/definition.ts";
import { resourceTypeOfTable } from "../../records/definition/permissions.ts";
import { isForeignOver } from "../../records/names/foreign_marker.ts";
import { hasPermission } from "../access/access.ts";
import { type AdminContext, type EffectivePermissions, permissionsOfActor } from "../access/actor.ts";
import { invalidRecord, notFound } from "../access/errors.ts";
import { hashingCaller } from "../access/hashing_caller.ts";
import { ownerOfRow } from "../access/owners.ts";
import { appRules, appSecretRules, consentRules } from "./app_rules.ts";
import { attributeRules, requireAttributes } from "./attribute_rules.ts";
import { apiKeyRules, keyPairRules, serviceAccountRules, signingKeyRules } from "./machine_rules.ts";
import { linkedAccountRules, membershipRules, organizationRules, userRules } from "./people_rules.ts";
import { errorsOfChange, errorsOfNew, fieldsOfPlatform } from "./platform_only.ts";
import { providerRules } from "./provider_rules.ts";
import { resourceRules } from "./resource_rules.ts";
import { appRoleRules, roleRules } from "./role_rules.ts";
import { forbidden, type GuardedTransaction, type Rules, refuseAny } from "./rules.ts";
import { webhookRules } from "./webhook_rules.ts";

const rules: { readonly [T in TableName]: Rules<T> } = {
  users: userRules,
  organizations: organizationRules,
  memberships: membershipRules,
  oauth_accounts: linkedAccountRules,
  api_keys: apiKeyRules,
  oauth_apps: appRules,
  oauth_app_secrets: appSecretRules,
  oauth_consents: consentRules,
  service_accounts: serviceAccountRules,
  service_account_key_pairs: keyPairRules,
  resources: resourceRules,
  signing_keys: signingKeyRules,
  oauth_tokens: {},
  oauth_auth_codes: {},
  sessions: {},
  audit_events: {},
  refusals: {},
  invitations: {},
  passkeys: {},
  totp_authenticators: {},
  foreign_passwords: {},
  imported_people: {},
  recovery_codes: {},
  devices: {},
  recoveries: {},
  providers: providerRules,
  roles: roleRules,
  groups: {},
  group_members: {},
  app_roles: appRoleRules,
  retired_providers: {},
  statistics: {},
  ephemera: {},
  client_documents: {},
  session_apps: {},
  signal_streams: {},
  deliveries: {},
  events: {},
  webhook_endpoints: webhookRules,
  manifest_records: {},
  manifest_names: {},
  attribute_definitions: attributeRules,
};

/**
 * Returns whether only platform administrators may create (`create`) or delete (`remove`) records of the
 * table.
 */
export function isPlatformOnly(table: TableName, verb: "create" | "remove"): boolean {
  return rulesOf(table).platform?.[verb] !== undefined;
}

/**
 * Returns whether an actor who may write the record may also delete it. The deletion can still fail, for
 * example for the last owner.
 */
export function mayRemove(actorPermissions: EffectivePermissions, table: TableName, id: string): boolean {
  return removalRefusal(actorPermissions, table, id) === undefined;
}

function removalRefusal(
  actorPermissions: EffectivePermissions,
  table: TableName,
  id: string,
): Detail | undefined {
  if (actorPermissions.platform) return undefined;
  const { platform, refusesRemoval } = rulesOf(table);
  return platform?.remove ?? refusesRemoval?.(actorPermissions, id);
}

export function platformFields(table: TableName, verb: "create" | "update"): readonly string[] {
  return fieldsOfPlatform(table, rulesOf(table).platform ?? {}, verb);
}

function rulesOf<T extends TableName>(table: T): Rules<T> {
  return rules[table];
}

/** Checks a new record before it is added; throws the errors listed at the top of this file. */
export async function guardNew<T extends TableName>(
  tx: GuardedTransaction,
  actorPermissions: EffectivePermissions,
  table: T,
  record: NewRow<T>,
): Promise<void> {
  const { platform = {}, onNew } = rulesOf(table);
  if (platform.create !== undefined && !actorPermissions.platform) throw forbidden(platform.create);
  const errors = actorPermissions.platform
    ? []
    : errorsOfNew(actorPermissions, table, platform, record as Readonly<Record<string, unknown>>);
  await onNew?.({ tx, actorPermissions, errors }, record);
  refuseAny(errors);
  await requireAttributes(
    tx,
    actorPermissions,
    table,
    undefined,
    record as Readonly<Record<string, unknown>>,
  );
}

/**
 * Checks the write permission again on the locked row, because its owner may have changed since the first
 * check. Throws 404 `not_found`.
 */
export async function recheckPermission<T extends TableName>(
  tx: GuardedTransaction,
  actorPermissions: EffectivePermissions,
  table: T,
  row: Row<T>,
): Promise<void> {
  const resourceType = resourceTypeOfTable[table];
  if (actorPermissions.platform) return;
  const owner = await ownerOfRow(tx, table, row as object);
  if (resourceType === undefined || !hasPermission(actorPermissions, `${resourceType}:write`, owner))
    throw notFound(table, (row as { id: string }).id);
}

/**
 * Checks a change before it is written. `changes` are the columns that differ, including `password_hash` for
 * a new password.
 */
export async function guardChange<T extends TableName>(
  tx: GuardedTransaction,
  actorPermissions: EffectivePermissions,
  table: T,
  current: Row<T>,
  changes: Partial<Row<T>>,
): Promise<void> {
  await recheckPermission(tx, actorPermissions, table, current);
  const { platform = {}, onChange } = rulesOf(table);
  const errors = actorPermissions.platform ? [] : errorsOfChange(actorPermissions, table, platform, changes);
  await onChange?.({ tx, actorPermissions, errors }, current, changes);
  refuseAny(errors);
  await requireAttributes(tx, actorPermissions, table, current, changes as Readonly<Record<string, unknown>>);
}

export async function guardRemoval<T extends TableName>(
  tx: GuardedTransaction,
  actorPermissions: EffectivePermissions,
  table: T,
  current: Row<T>,
): Promise<void> {
  await recheckPermission(tx, actorPermissions, table, current);
  const { onRemoval } = rulesOf(table);
  const refusal = removalRefusal(actorPermissions, table, (current as { id: string }).id);
  if (refusal !== undefined) throw forbidden(refusal);
  await onRemoval?.({ tx, actorPermissions, errors: [] }, current);
}

/**
 * Verifies the current password of users who change their own password or email address (ASVS 6.2.3, 7.5.1).
 * Attempts count towards the rate limit of sign-in. Throws 422 `invalid_record`, 429 `throttled` or an
 * OverloadedError. Call it before the transaction, which must check that `password_hash` is still the same.
 */
export async function confirmPassword(
  context: Pick<AdminContext, "store" | "actor" | "passwords" | "countGuess" | "switches" | "now">,
  current: User,
  current_password: unknown,
): Promise<void> {
  const { user_id } = await permissionsOfActor(context);
  if (user_id !== current.id || current.password_hash === null) return;
  const stored = await context.store.storedPassword(current);
  const refused = (why: Reason) => invalidRecord("users", [{ path: "/current_password", ...why }]);
  if (typeof current_password !== "string") throw refused(reason("current_password_missing"));
  const guess = await context.countGuess?.(current);
  if (guess?.retry_after !== undefined) {
    throw new Problem("throttled", detail("passwords_throttled"), [], {
      retry_after: guess.retry_after,
    });
  }
  let right: boolean;
  try {
    const caller = hashingCaller(context.actor);
    right =
      stored !== undefined &&
      (await context.passwords.verify(stored.text, current_password, "management", caller)) &&
      !isForeignOver(stored, context.switches, context.now());
  } catch (error) {
    await guess?.withdraw();
    throw error;
  }
  if (!right) throw refused(reason("current_password_wrong"));
  await guess?.forgive();
}
