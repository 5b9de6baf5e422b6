import { type Detail, detail } from "../../errors/details.ts";
import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { NewRow, Row, TableName } from "../../records/definition/definition.ts";
import type { Transaction } from "../../storage/database/database.ts";
import type { Where } from "../../storage/database/verbs.ts";
import type { EffectivePermissions } from "../access/actor.ts";
import { invalidRecord } from "../access/errors.ts";
import { mayVouch } from "../access/giving.ts";
import { type PlatformOnly, platformError } from "./platform_only.ts";

export interface GuardedTransaction
  extends Pick<Transaction, "find" | "list" | "listColumns" | "count" | "lock"> {
  /**
   * Returns `make(rows)`. Only `readingOnce` sets this function: its callers check many records, so
   * `make` runs only once for each list.
   */
  once?<R, V>(rows: readonly R[], make: (rows: readonly R[]) => V): V;
}

export interface Change {
  readonly tx: GuardedTransaction;
  readonly actorPermissions: EffectivePermissions;
  readonly errors: readonly FieldError[];
}

type GuardResult = void | Promise<void>;

export interface Rules<T extends TableName> {
  readonly platform?: PlatformOnly<T>;
  onNew?(change: Change, record: NewRow<T>): GuardResult;
  onChange?(change: Change, current: Row<T>, changes: Partial<Row<T>>): GuardResult;
  refusesRemoval?(actorPermissions: EffectivePermissions, id: string): Detail | undefined;
  onRemoval?(change: Change, current: Row<T>): GuardResult;
}

export function forbidden(detailOf: Detail, errors: readonly FieldError[] = []): Problem {
  return new Problem("forbidden", detailOf, errors);
}

/** Throws 403 `forbidden` if there are errors. */
export function refuseAny(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw forbidden(detail("not_yours_to_give"), errors);
}

/** Throws 422 `invalid_record` if there are errors. */
export function refuseInvalid(table: TableName, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidRecord(table, errors);
}

/**
 * Throws 403 `forbidden` if an actor other than a platform administrator reactivates a record that a platform
 * administrator deactivated.
 */
export function requireSwitch(
  { platform }: EffectivePermissions,
  current: { readonly switched_off_by_platform: boolean },
  { active }: { readonly active?: boolean },
): void {
  if (platform || active !== true || !current.switched_off_by_platform) return;
  throw forbidden(detail("not_yours_to_give"), [fieldError("/active", "platform_switched_off")]);
}

/**
 * Throws 403 `forbidden` if an actor other than a platform administrator deletes a record that a platform
 * administrator deactivated. Otherwise the actor could create the record again, active.
 */
export function requireSwitchStays(
  { platform }: EffectivePermissions,
  { switched_off_by_platform }: { readonly switched_off_by_platform: boolean },
): void {
  if (platform || !switched_off_by_platform) return;
  throw forbidden(detail("platform_switched_off"));
}

const mostRecords = 1000;

/**
 * Throws 422 `invalid_record` if the owner already has the most records of this kind. Platform administrators
 * may exceed the limit, because earlier versions had none, and an export must be applicable to an empty server.
 */
export async function requireRoom<T extends "roles" | "app_roles" | "resources" | "oauth_apps">(
  { tx, actorPermissions }: Change,
  table: T,
  owner: Where<T>,
): Promise<void> {
  if (actorPermissions.platform || (await tx.count(table, owner)) < mostRecords) return;
  refuseInvalid(table, [fieldError("/name", "too_many_records", { max: mostRecords })]);
}

function platformErrors(
  { platform }: EffectivePermissions,
  input: Readonly<Record<string, boolean>>,
): FieldError[] {
  if (platform) return [];
  return Object.entries(input).flatMap(([name, isGiven]) => (isGiven ? [platformError(name)] : []));
}

/** Returns an error for each field that is true in `input`, unless `mayVouch` allows the actor to set it. */
export function vouchingErrors(
  actorPermissions: EffectivePermissions,
  input: Readonly<Record<string, boolean>>,
): FieldError[] {
  return [...platformErrors(actorPermissions, input), ...credentialErrors(actorPermissions, input)];
}

/**
 * If a platform administrator's credential lacks permissions, returns an error for each field that is true in
 * `input`.
 */
export function credentialErrors(
  actorPermissions: EffectivePermissions,
  input: Readonly<Record<string, boolean>>,
): FieldError[] {
  const names = Object.keys(input).filter((name) => input[name]);
  if (names.length === 0 || !actorPermissions.platform || mayVouch(actorPermissions)) return [];
  return names.map((name) => fieldError(`/${name}`, "full_credential_only"));
}
