import type { Reason } from "../../errors/field_errors.ts";
import type { ProblemCode } from "../../errors.ts";
import type { Row, TableName } from "../../records/definition/definition.ts";
import type { Verbs } from "../../storage/database/verbs.ts";

/** A record before and after the manifest: new where it was not, and undefined if it goes. */
export interface Passage<T extends TableName = TableName> {
  readonly table: T;
  readonly id: string;
  /** Its kind and name, such as `app web-app`. */
  readonly label: string;
  readonly before: Row<T> | undefined;
  readonly after: Row<T> | undefined;
}

/** The code of the refusal, and the errors of the record. */
export type Refused = readonly [code: ProblemCode, why: Reason];

/** The resulting records once the manifest is written and pruned records are deleted. */
export interface Outcome {
  /** The records as they are stored now. */
  readonly stored: Pick<Verbs, "find" | "list">;
  /** The remaining rows that match all of `where`. */
  list<T extends TableName>(table: T, where: Partial<Row<T>>): Promise<Row<T>[]>;
  goes(table: TableName, id: string): boolean;
}
