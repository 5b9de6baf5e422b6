import type { Reason } from "../../errors/field_errors.ts";
import type { ProblemCode } from "../../errors.ts";
import type { Row, TableName } from "../../records/definition/definition.ts";
import type { Verbs } from "../../storage/database/verbs.ts";

/**
 * A record before and after the manifest is applied. A new record has no `before`, a deleted one no `after`.
 */
export interface Passage<T extends TableName = TableName> {
  readonly table: T;
  readonly id: string;
  /** The record's kind and name, such as `app web-app`. */
  readonly label: string;
  readonly before: Row<T> | undefined;
  readonly after: Row<T> | undefined;
}

export type Refused = readonly [code: ProblemCode, why: Reason];

/** The records as they will be after the manifest is written and pruned records are deleted. */
export interface Outcome {
  readonly stored: Pick<Verbs, "find" | "list">;
  list<T extends TableName>(table: T, where: Partial<Row<T>>): Promise<Row<T>[]>;
  goes(table: TableName, id: string): boolean;
}
