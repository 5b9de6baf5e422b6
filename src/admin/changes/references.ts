/** References between records: an actor without write access does not learn whether the target exists. */
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
 * Throws 422 `invalid_record` for references that do not resolve; call it after the guards have allowed the
 * write.
 */
export async function requireReferences(
  reads: Pick<Verbs, "find">,
  table: TableName,
  record: Input,
): Promise<void> {
  const missing = await missingReferences(reads, table, record);
  if (missing.length > 0) throw invalidRecord(table, missing);
}
