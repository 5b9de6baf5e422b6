import type { Row, TableName } from "../../records/definition/definition.ts";
import type { Checked } from "../../records/formats/check.ts";
import type { LockName } from "../../records/names/lock_names.ts";
import type { AdminContext } from "../access/actor.ts";
import type { Input } from "../access/errors.ts";
import type { MissingKeys } from "../records/signing_keys.ts";
import type { Outcome, Passage, Refused } from "./manifest_passage.ts";
import type { ManifestMember, PlannedRecord, Values, WritingRules } from "./planned_record.ts";

export interface ManifestRules<T extends TableName = TableName> extends WritingRules<T> {
  /** Fields that a manifest may set although API callers may not. */
  readonly also_given?: readonly string[];
  /**
   * Columns that identify an existing record if an entry has neither the natural key nor the id. Several
   * records may match.
   */
  readonly known_by?: readonly string[];
  /** Fields of an entry that are not columns, such as `kind`, but that `draft` and `change` use. */
  readonly requested?: readonly string[];
  readonly members?: readonly ManifestMember[];
  draft(context: AdminContext, input: Input): Checked<Values>;
  change(context: AdminContext, current: Row<T>, input: Input): Checked<Values>;
  /**
   * Returns further records that the planned `records` require, for example the APIs that apps name in
   * `metadata`.
   */
  further?(records: readonly PlannedRecord[], context: AdminContext): Promise<PlannedRecord[]>;
  needs?(context: AdminContext, values: Values): Promise<MissingKeys>;
  isExported?(row: Row<T>): boolean;
  refusals?(passage: Passage<T>, outcome: Outcome): Promise<readonly Refused[]>;
  /**
   * Returns the locks that keep the answer of `refusals` true until the commit, and the locks that deleting
   * the record requires. Until the locks are held, a request can still change the row `before`. The locks
   * must therefore not depend on columns that can change.
   */
  locks?(passage: Passage<T>, stored: Outcome["stored"]): readonly LockName[] | Promise<readonly LockName[]>;
}
