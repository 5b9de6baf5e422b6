import type { Row, TableName } from "../../records/definition/definition.ts";
import type { Checked } from "../../records/formats/check.ts";
import type { LockName } from "../../records/names/lock_names.ts";
import type { AdminContext } from "../access/actor.ts";
import type { Input } from "../access/errors.ts";
import type { MissingKeys } from "../records/signing_keys.ts";
import type { Outcome, Passage, Refused } from "./manifest_passage.ts";
import type { ManifestMember, PlannedRecord, Values, WritingRules } from "./planned_record.ts";

export interface ManifestRules<T extends TableName = TableName> extends WritingRules<T> {
  /** Fields that a file may set although callers may not. */
  readonly also_given?: readonly string[];
  /**
   * Columns that identify an existing record if an entry contains neither the record's natural key nor its
   * id; several records may match.
   */
  readonly known_by?: readonly string[];
  /** Input fields of a creation that are not columns, such as `kind`, and that `draft` and `change` read. */
  readonly requested?: readonly string[];
  readonly members?: readonly ManifestMember[];
  draft(context: AdminContext, input: Input): Checked<Values>;
  change(context: AdminContext, current: Row<T>, input: Input): Checked<Values>;
  /** Returns records of the section that are derived from those of earlier sections. */
  further?(records: readonly PlannedRecord[], context: AdminContext): Promise<PlannedRecord[]>;
  /** Returns the keys that the record needs, to be written in the same transaction. */
  needs?(context: AdminContext, values: Values): Promise<MissingKeys>;
  isExported?(row: Row<T>): boolean;
  /** Limits on what a manifest may do with an otherwise valid record. */
  refusals?(passage: Passage<T>, outcome: Outcome): Promise<readonly Refused[]>;
  /**
   * Returns the locks that keep the result of `refusals` valid until the end of the transaction, and the
   * locks that a removal needs.
   */
  locks?(passage: Passage<T>, stored: Outcome["stored"]): readonly LockName[] | Promise<readonly LockName[]>;
}
