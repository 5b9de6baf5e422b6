/**
 * References of records to others: who may not write the record does not learn whether what it refers to is
 * there.
 */
import type { FieldError } from "../../errors/field_errors.ts";
import type { TableName } from "../../records/definition/definition.ts";
import type { Verbs } from "../../storage/database/verbs.ts";
import { type AdminContext, permissionsOfActor } from "../access/actor.ts";
import { type Input, invalidRecord, missingReferences } from "../access/errors.ts";

/**
 * Errors of references that do not resolve, reported with all other errors of a record to a platform
 * administrator, who sees every record. Other actors get them from `requireReferences`.
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

/**
 * Throws 422 `invalid_record` for references that lead nowhere; to be called when the guards let the record
 * be written.
 */
export async function requireReferences(
  reads: Pick<Verbs, "find">,
  table: TableName,
  record: Input,
): Promise<void> {
  const missing = await missingReferences(reads, table, record);
  if (missing.length > 0) throw invalidRecord(table, missing);
}
