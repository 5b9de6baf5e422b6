import type { TableName } from "../../records/definition/definition.ts";
import type { Kind } from "../../records/definition/field.ts";
import type { Dialect } from "../database/dialect.ts";
import type { Connection } from "../database/driver.ts";

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly does: string;
  /** Each statement ends with a semicolon at the end of a line. */
  readonly sql: (columnType: Readonly<Record<Kind, string>>, database: Dialect["name"]) => string;
  readonly fill?: (connection: Connection, dialect: Dialect) => Promise<void>;
  readonly fills?: readonly TableName[];
}
