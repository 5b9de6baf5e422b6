import type { Reason } from "../../errors/field_errors.ts";
import type { ProblemCode } from "../../errors.ts";
import type { Row, TableName } from "../../records/definition/definition.ts";
import type { Verbs } from "../../storage/database/verbs.ts";

/** `before` is undefined for a new record, `after` for a deleted one. */
export interface Passage<T extends TableName = TableName> {
  readonly table: T;
  readonly id: string;
  readonly label: string;
  readonly before: Row<T> | undefined;
  readonly after: Row<T> | undefined;
}

export type Refused = readonly [code: ProblemCode, why: Reason];

/** The state after the manifest is applied; `goes` tells whether a record is deleted. */
export interface Outcome {
  readonly stored: Pick<Verbs, "find" | "list">;
  list<T extends TableName>(table: T, where: Partial<Row<T>>): Promise<Row<T>[]>;
  goes(table: TableName, id: string): boolean;
}
