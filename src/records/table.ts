/**
 * The vocabulary of the table definitions: a table, and the fields that the specification's tables and ours
 * share.
 */
import { type Fields, optional, string, time } from "./field.ts";

export interface TableDefinition<F extends Fields = Fields> {
  readonly fields: F;
  /** Pairs that are unique together. */
  readonly unique?: readonly (readonly string[])[];
  /** The section of the specification, or the purpose of the table. */
  readonly source: string;
}

export const created_at = time("creation time", { immutable: true, auto_create: true });
export const client_ip = optional(string("requester address"));
export const user_agent = optional(string("requester agent", { format: "prose" }));

/** A table with its fields, which keep their types; `unique` names pairs that are unique together. */
export function table<F extends Fields>(
  source: string,
  fields: F,
  unique?: readonly (readonly (keyof F & string)[])[],
): TableDefinition<F> {
  return unique === undefined ? { source, fields } : { source, fields, unique };
}
