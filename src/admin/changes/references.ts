/**
 * Checks references to other records. The order of checks matters: an actor that may not write the record
 * must not learn whether the referenced record exists.
 */
import type { FieldError } from "../../errors/field_errors.ts";
import type { TableName } from "../../records/definition/definition.ts";
import type { Verbs } from "../../storage/database/verbs.ts";
import { type AdminContext, permissionsOfActor } from "../access/actor.ts";
import { type Input, invalidRecord, missingReferences } from "../access/errors.ts";

/**
 * If the actor is a platform administrator, returns an error for each reference to a missing record. For
 * other actors returns none; `requireReferences` checks them after the guards.
 */
export async function referenceErrors(
  context: Pick<AdminContext, "actor" | "store">,
  reads: Pick<Verbs, "find">,
  table: TableName,
  record: Input,
): Promise<FieldError[]> {
  const { platform } = await permissionsOfActor(context);
  return platform ? missingReferences(reads, table, record) : [];
}

/** Throws 422 `invalid_record` for unresolved references. Call it after the guards have allowed the write. */
export async function requireReferences(
  reads: Pick<Verbs, "find">,
  table: TableName,
  record: Input,
): Promise<void> {
  const missing = await missingReferences(reads, table, record);
  if (missing.length > 0) throw invalidRecord(table, missing);
}
