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
   * Columns that identify an existing record if an entry contains neither the record's natural key nor its
   * id; several records may match.
   */
  readonly known_by?: readonly string[];
  /** Input fields of a creation that are not columns, such as `kind`, and that `draft` and `change` read. */
  readonly requested?: readonly string[];
  readonly members?: readonly ManifestMember[];
  draft(context: AdminContext, input: Input): Checked<Values>;
  change(context: AdminContext, current: Row<T>, input: Input): Checked<Values>;
  /**
   * Returns further records of this section that follow from records of earlier sections, such as APIs that
   * apps name.
   */
  further?(records: readonly PlannedRecord[], context: AdminContext): Promise<PlannedRecord[]>;
  /**
   * Returns the signing keys that the record needs and that do not exist yet. They are stored in the same
   * transaction.
   */
  needs?(context: AdminContext, values: Values): Promise<MissingKeys>;
  isExported?(row: Row<T>): boolean;
  /** Columns of the current row that `refusals` and `locks` read, apart from references. */
  readonly deciding?: readonly string[];
  /** Columns that users can change at any time; the file's values replace concurrent changes of them. */
  readonly overwritten?: readonly string[];
  /** Returns why the manifest may not make this change, although the record itself is valid. */
  refusals?(passage: Passage<T>, outcome: Outcome): Promise<readonly Refused[]>;
  /**
   * Returns the locks that keep the result of `refusals` valid until the end of the transaction, and the
   * locks that a removal needs.
   */
  locks?(passage: Passage<T>, stored: Outcome["stored"]): readonly LockName[] | Promise<readonly LockName[]>;
}
