import { type Detail, detail } from "../../errors/details.ts";
import { type FieldError, fieldError, reason } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import { fieldsOf, type NewRow, type Row, type TableName } from "../../records/definition.ts";
import type { Transaction } from "../../storage/database.ts";
import type { EffectivePermissions } from "../access/actor.ts";
import { mayVouch } from "../access/giving.ts";

/** What the guards ask of a transaction. */
export type GuardedTransaction = Pick<Transaction, "find" | "list" | "lock">;

/** Who changes, inside which transaction. */
export interface Change {
  readonly tx: GuardedTransaction;
  readonly actorPermissions: EffectivePermissions;
}

type Verdict = void | Promise<void>;

/** What must hold of a change of one kind of record; each throws a Problem where it does not. */
export interface Rules<T extends TableName> {
  onNew?(change: Change, record: NewRow<T>): Verdict;
  /** `changes` are the columns that differ. */
  onChange?(change: Change, current: Row<T>, changes: Partial<Row<T>>): Verdict;
  onRemoval?(change: Change, current: Row<T>): Verdict;
}

/** 403 `forbidden`; `faults` name the fields that are not the actor's to give. */
export function forbidden(told: Detail, errors: readonly FieldError[] = []): Problem {
  return new Problem("forbidden", told, errors);
}

/** Throws 403 `forbidden` naming every faulty field. */
export function refuseAny(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw forbidden(detail("not_yours_to_give"), errors);
}

/** Throws 403 where somebody else would switch on what a platform administrator switched off. */
export function requireSwitch(
  { platform }: EffectivePermissions,
  current: { readonly switched_off_by_platform: boolean },
  { active }: { readonly active?: boolean },
): void {
  if (platform || active !== true || !current.switched_off_by_platform) return;
  throw forbidden(detail("not_yours_to_give"), [fieldError("/active", "platform_switched_off")]);
}

/** Throws 403 where somebody else would delete it, and could make it anew. */
export function requireSwitchStays(
  { platform }: EffectivePermissions,
  { switched_off_by_platform }: { readonly switched_off_by_platform: boolean },
): void {
  if (platform || !switched_off_by_platform) return;
  throw forbidden(detail("platform_switched_off"));
}

const platformOnly = reason("platform_only");

/** A fault for each of these fields that is given. */
export function platformFaults(
  { platform }: EffectivePermissions,
  given: Readonly<Record<string, boolean>>,
): FieldError[] {
  if (platform) return [];
  return Object.entries(given).flatMap(([name, isGiven]) =>
    isGiven ? [{ path: `/${name}`, ...platformOnly }] : [],
  );
}

/** A fault for each of these fields that is given by a credential that may not vouch for an app. */
export function vouchingFaults(
  actorPermissions: EffectivePermissions,
  given: Readonly<Record<string, boolean>>,
): FieldError[] {
  if (!actorPermissions.platform || mayVouch(actorPermissions))
    return platformFaults(actorPermissions, given);
  return Object.entries(given).flatMap(([name, isGiven]) =>
    isGiven ? [fieldError(`/${name}`, "full_credential_only")] : [],
  );
}

/** The fields of a change that a caller asked for: what follows from them by itself is left out. */
function askedFields(table: TableName, changes: object): string[] {
  const fields = fieldsOf(table);
  return Object.keys(changes).filter((name) => !fields[name]?.internal && !fields[name]?.auto_update);
}

/** A fault for each changed field that is not among those the actor may change. */
export function othersThan(table: TableName, changes: object, free: readonly string[]): FieldError[] {
  return askedFields(table, changes)
    .filter((name) => !free.includes(name))
    .map((name) => ({ path: `/${name}`, ...platformOnly }));
}
