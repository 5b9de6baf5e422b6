/**
 * Checks the records of a manifest by the rules for requests, once all of them are written. A record may
 * refer to later ones, such as an organization to the definitions of its attributes.
 */
import type { FieldError } from "../../errors/field_errors.ts";
import { Problem, type ProblemCode } from "../../errors.ts";
import type { TableName } from "../../records/definition/definition.ts";
import { type AdminContext, type EffectivePermissions, permissionsOfActor } from "../access/actor.ts";
import { guardChange, guardNew } from "../guards/guards.ts";
import type { GuardedTransaction } from "../guards/rules.ts";
import type { PlannedRecord, PreparedRow } from "../manage/planned_record.ts";
import { pathBelow } from "./members/entry.ts";
import type { Prepared } from "./prepare.ts";

/** Errors that the file has to correct, because they concern the record itself. */
const ofRecord: readonly ProblemCode[] = ["invalid_record", "forbidden", "conflict"];

export const isRefusal = (error: unknown): error is Problem =>
  error instanceof Problem && ofRecord.includes(error.code) && error.errors.length > 0;

/** Returns the errors that a request with one of these rows would get, by paths as the file shows them. */
export async function guardErrors(
  tx: GuardedTransaction,
  context: AdminContext,
  prepared: readonly Prepared[],
): Promise<FieldError[]> {
  // The locks were acquired before the manifest was written.
  const reads: GuardedTransaction = { find: tx.find, list: tx.list, lock: async () => {} };
  const actorPermissions = await permissionsOfActor(context);
  const errors: FieldError[] = [];
  for (const { record, rows } of prepared)
    for (const row of rows)
      try {
        await guard(reads, actorPermissions, row);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        errors.push(...errorsInFile(error, record, row));
      }
  return errors;
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
