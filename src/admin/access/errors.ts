import { detail } from "../../errors/details.ts";
import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import { type RecordNoun, recordNouns } from "../../errors/messages.ts";
import { ReferenceViolation, UniqueViolation } from "../../errors/violations.ts";
import { Problem } from "../../errors.ts";
import { fieldsOf, type TableName } from "../../records/definition/definition.ts";
import type { Checked } from "../../records/formats/check.ts";
import type { Verbs } from "../../storage/database/verbs.ts";

export type Input = Readonly<Record<string, unknown>>;

const nouns: Readonly<Record<TableName, RecordNoun>> = recordNouns;

export function nounOf(table: TableName): RecordNoun {
  return nouns[table];
}

/** Returns the kind of a record as audit events and manifests spell it, such as `app_secret`. */
export function kindOf(table: TableName): string {
  return nounOf(table).toLowerCase().replaceAll(" ", "_");
}

/**
 * Returns whether the value is text that SQLite and PostgreSQL can both store: well-formed Unicode without
 * NUL.
 */
export function isText(value: unknown): value is string {
  return typeof value === "string" && !value.includes("\0") && value.isWellFormed();
}

export function notFound(table: TableName, name: string): Problem {
  return new Problem("not_found", detail("not_found", { record: nounOf(table), name }));
}

export function invalidRecord(table: TableName, errors: readonly FieldError[]): Problem {
  return new Problem("invalid_record", detail("invalid_record", { record: nounOf(table) }), errors);
}

/** Throws 422 `invalid_record` if any field is invalid. */
export function assertValid<T>(table: TableName, { errors, record }: Checked<T>): T {
  if (errors.length > 0) throw invalidRecord(table, errors);
  return record;
}

/** Returns an error for each field in `names` that the input sets, and the input without these fields. */
export function withoutServerSet(
  input: Input,
  names: readonly string[],
): { input: Input; errors: FieldError[] } {
  const errors = names
    .filter((name) => Object.hasOwn(input, name))
    .map((name) => fieldError(`/${name}`, "server_set"));
  return { input: without(input, names), errors };
}

/** Returns the input without these fields. A field named `__proto__` stays an ordinary property. */
export function without(input: Input, names: readonly string[]): Input {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)));
}

export async function missingReferences(
  store: Pick<Verbs, "find">,
  table: TableName,
  record: Input,
): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  for (const [name, { references }] of Object.entries(fieldsOf(table))) {
    const id = record[name];
    if (references === undefined || typeof id !== "string") continue;
    const to = references.table as "users";
    if ((await store.find(to, { id })) === undefined) {
      errors.push(fieldError(`/${name}`, "no_record", { record: nounOf(to) }));
    }
  }
  return errors;
}

export const fieldOfKey: Readonly<Record<string, string>> = {
  email_key: "email",
  identifier_key: "identifier",
  username_key: "attributes/preferred_username",
  name_key: "name",
  claim_key: "claim",
};

/** Awaits the work and converts violations of unique and foreign keys to 409 `conflict`. */
export async function orConflict<R>(work: Promise<R>): Promise<R> {
  try {
    return await work;
  } catch (error) {
    throw asConflict(error);
  }
}

/** Returns 409 `conflict` for a violation of a unique or foreign key, and other errors unchanged. */
export function asConflict(error: unknown): unknown {
  if (error instanceof ReferenceViolation) return new Problem("conflict", detail("reference_gone"));
  if (!(error instanceof UniqueViolation)) return error;
  const [table = "", columns = ""] = error.constraint.split(".");
  const fields = columns.split(",").map((column) => fieldOfKey[column] ?? column);
  return new Problem(
    "conflict",
    // The id may belong to a record that the actor cannot see, so the message does not reveal its kind
    // (T-15).
    columns === "id"
      ? detail("id_taken")
      : detail("record_exists", { record: nounOf(table as TableName), fields }),
    fields.map((field) => fieldError(`/${field}`, "taken")),
  );
}
