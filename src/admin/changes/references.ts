/**
 * Checks references between records. An actor that may not write the record must not learn whether a
 * referenced record exists.
 */
import type { FieldError } from "../../errors/field_errors.ts";
import type { TableName } from "../../records/definition/definition.ts";
import type { Verbs } from "../../storage/database/verbs.ts";
import { type AdminContext, permissionsOfActor } from "../access/actor.ts";
import { type Input, invalidRecord, missingReferences } from "../access/errors.ts";

/**
 * Returns errors for unresolved references. They are reported with a record's other errors only to platform
 * administrators, who see every record. Other actors get them from `requireReferences`.
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
