/**
 * Checks the records of a manifest by the rules for requests, after all of them are written, because a record
 * may depend on later ones. For example, an organization depends on the definitions of its attributes.
 */
import { detail } from "../../errors/details.ts";
import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import { Problem, type ProblemCode } from "../../errors.ts";
import type { TableName } from "../../records/definition/definition.ts";
import { type AdminContext, type EffectivePermissions, permissionsOfActor } from "../access/actor.ts";
import { guardChange, guardNew } from "../guards/guards.ts";
import { forbidden, type GuardedTransaction, refuseAny } from "../guards/rules.ts";
import type { PlannedRecord, PreparedRow } from "../manage/planned_record.ts";
import { pathBelow } from "./members/entry.ts";
import type { Prepared } from "./prepare.ts";

/** Errors that the operator has to correct in the file, because they concern the record itself. */
const ofRecord: readonly ProblemCode[] = ["invalid_record", "forbidden", "conflict"];

export const isRefusal = (error: unknown): error is Problem =>
  error instanceof Problem && ofRecord.includes(error.code) && error.errors.length > 0;

/**
 * Returns the errors that a request with one of these rows would get, each with a path such as
 * `apps[2].redirect_uris[0]`.
 */
export async function guardErrors(
  tx: GuardedTransaction,
  context: AdminContext,
  prepared: readonly Prepared[],
): Promise<FieldError[]> {
  // The locks were acquired before the manifest was written, so the guards need not acquire them again.
  const reads: GuardedTransaction = { find: tx.find, list: tx.list, lock: async () => {} };
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
 * A request that changes the caller's own password or email address must contain the current password. A
 * change of the email address is also refused for a time after a former address was restored (SS-7). A
 * manifest cannot meet these requirements.
 */
function ownErrors({ user_id }: EffectivePermissions, { table, current, values }: PreparedRow): FieldError[] {
  if (table !== "users" || current === undefined || current.id !== user_id) return [];
  const changed = { "/password": values.password_hash, "/email": values.email };
  return Object.entries(changed).flatMap(([path, value]) =>
    value === undefined ? [] : [fieldError(path, "own_in_manifest")],
  );
}

/** Throws 403 `forbidden` if the caller is among the users to delete. */
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
