import type { Row, TableName } from "../../records/definition/definition.ts";
import type { Checked } from "../../records/formats/check.ts";
import type { LockName } from "../../records/names/lock_names.ts";
import type { AdminContext } from "../access/actor.ts";
import type { Input } from "../access/errors.ts";
import type { Transaction } from "../changes/changes.ts";
import type { MissingKeys } from "../records/signing_keys.ts";
import type { Outcome, Passage, Refused } from "./manifest_passage.ts";
import type { ManifestMember, PlannedRecord, Values } from "./planned_record.ts";

/** How `postern apply` and `postern export` treat the records of a resource type. */
export interface ManifestRules<T extends TableName = TableName> {
  /** Fields that a file may give although callers may not. */
  readonly also_given?: readonly string[];
  /**
   * Columns by which a record is known again that gives neither its natural key nor its id; several records
   * may fit.
   */
  readonly known_by?: readonly string[];
  /** Members of a creation that are no columns, and that `draft` and `change` read. */
  readonly requested?: readonly string[];
  /** Further members of an entry. */
  readonly members?: readonly ManifestMember[];
  /** A new record, checked. */
  draft(context: AdminContext, input: Input): Checked<Values>;
  /** A change of a record, checked. */
  change(context: AdminContext, current: Row<T>, input: Input): Checked<Values>;
  /** Records of the section that follow from those of sections before it. */
  further?(records: readonly PlannedRecord[], context: AdminContext): Promise<PlannedRecord[]>;
  /** The key that the record needs, written in the transaction of the record. */
  needs?(context: AdminContext, values: Values): Promise<MissingKeys>;
  /** Whether the record is configuration; every record is when absent. */
  isExported?(row: Row<T>): boolean;
  /** Limits on what a manifest may do with a record that is valid otherwise. */
  refusals?(passage: Passage<T>, outcome: Outcome): Promise<readonly Refused[]>;
  /** The locks under which `refusals` hold to the end of the transaction, and a removal needs. */
  locks?(passage: Passage<T>, stored: Outcome["stored"]): readonly LockName[] | Promise<readonly LockName[]>;
  /** Ends what the database does not remove with a pruned record. */
  end?(tx: Transaction, row: Row<T>, at: Date, context: AdminContext): Promise<void>;
}
