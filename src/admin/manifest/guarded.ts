/**
 * Checks the records of a manifest by the same guards as API requests. The checks run after all records are
 * written, because a record may depend on one that is written later.
 */
import { detail } from "../../errors/details.ts";
import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import { Problem, type ProblemCode } from "../../errors.ts";
import type { TableName } from "../../records/definition/definition.ts";
import { type AdminContext, type EffectivePermissions, permissionsOfActor } from "../access/actor.ts";
import { guardChange, guardNew } from "../guards/guards.ts";
import { readingOnce } from "../guards/reading_once.ts";
import { forbidden, type GuardedTransaction, refuseAny } from "../guards/rules.ts";
import type { PlannedRecord, PreparedRow } from "../manage/planned_record.ts";
import { pathBelow } from "./members/entry.ts";
import type { Prepared } from "./prepare.ts";

const ofRecord: readonly ProblemCode[] = ["invalid_record", "forbidden", "conflict"];

export const isRefusal = (error: unknown): error is Problem =>
  error instanceof Problem && ofRecord.includes(error.code) && error.errors.length > 0;

/** Returns the errors of the guards for these rows, with paths such as `apps[2].redirect_uris[0]`. */
export async function guardErrors(
  tx: GuardedTransaction,
  context: AdminContext,
  prepared: readonly Prepared[],
): Promise<FieldError[]> {
  // `applyManifest` took all locks before it wrote the first record, and has written all of them.
  const reads = readingOnce(tx);
  const actorPermissions = await permissionsOfActor(context);
  const errors: FieldError[] = [];
  for (const { record, rows } of prepared)
    for (const row of rows)
      try {
        refuseAny(ownErrors(actorPermissions, row));
        await guard(reads, actorPermissions, row);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        errors.push(...errorsInFile(error, record, row));
      }
  return errors;
}

/**
 * Users who change their own password or email address must enter their current password, which a manifest
 * cannot contain (SS-7).
 */
function ownErrors({ user_id }: EffectivePermissions, { table, current, values }: PreparedRow): FieldError[] {
  if (table !== "users" || current === undefined || current.id !== user_id) return [];
  const changed = { "/password": values.password_hash, "/email": values.email };
  return Object.entries(changed).flatMap(([path, value]) =>
    value === undefined ? [] : [fieldError(path, "own_in_manifest")],
  );
}

/** Throws 403 `forbidden` if the caller is one of the users to delete. */
export async function refuseOwnDeletion(
  context: AdminContext,
  pruned: readonly { readonly table: TableName; readonly id: string }[],
): Promise<void> {
  const { user_id } = await permissionsOfActor(context);
  if (pruned.some(({ table, id }) => table === "users" && id === user_id))
    throw forbidden(detail("self_deletion"));
}

async function guard<T extends TableName>(
  reads: GuardedTransaction,
  actorPermissions: EffectivePermissions,
  { table, current, values }: PreparedRow & { readonly table: T },
): Promise<void> {
  if (current === undefined) await guardNew(reads, actorPermissions, table, values as never);
  else await guardChange(reads, actorPermissions, table, current as never, values as never);
}

export function errorsInFile(
  { errors }: Problem,
  { path }: Pick<PlannedRecord, "path">,
  { table, part }: Pick<PreparedRow, "table" | "part">,
): FieldError[] {
  const parent = part === undefined ? path : `${path}.${part}`;
  return errors.map((each) => ({ ...each, path: pathBelow(parent, each.path, table) }));
}
