import { fieldsOf, type TableName } from "../../records/definition/definition.ts";
import { nameColumnOf, naturalKeyOf } from "../../records/definition/natural_key.ts";
import { isUuid } from "../../records/formats/check.ts";
import { textOfJson } from "../../records/names/json_shapes.ts";
import type { Verbs } from "../../storage/database/verbs.ts";
import { type Input, isText, kindOf } from "../access/errors.ts";
import type { Values } from "../manage/planned_record.ts";
import type { Resource } from "../manage/resource.ts";
import { memberOf, referenceIn } from "./members/entry.ts";
import type { Section } from "./sections.ts";

/** Returns the columns of the natural key with their values; undefined if a value is missing or invalid. */
export function whereKey(table: TableName, values: Values): Values | undefined {
  const fields = fieldsOf(table);
  const columns = naturalKeyOf(table);
  const says = (name: string) => (fields[name]?.kind === "uuid" ? isUuid : isText)(values[name]);
  return columns.length > 0 && columns.every(says) ? pick(values, columns) : undefined;
}

/**
 * Returns the condition that finds the record of an entry without natural key and id. For example, an app
 * without client_id is found by owner and name.
 */
export function whereLoose({ table, manifest }: Section, input: Input): Values | undefined {
  const { known_by } = manifest;
  if (known_by === undefined || isUuid(input.id)) return undefined;
  if (naturalKeyOf(table).some((column) => input[column] !== undefined)) return undefined;
  const fields = fieldsOf(table);
  const says = (name: string) => {
    const value = input[name] ?? null;
    if (value === null) return fields[name]?.required !== true;
    return fields[name]?.kind === "uuid" ? isUuid(value) : isText(value);
  };
  return known_by.every(says) ? pick(input, known_by) : undefined;
}

/** Returns the values by which a repeated import recognizes a record; undefined if there are none. */
export function whereImported(section: Section, values: Values): Values | undefined {
  return whereKey(section.table, values) ?? whereLoose(section, { ...values, id: undefined });
}

function pick(values: Values, columns: readonly string[]): Values {
  return Object.fromEntries(columns.map((name) => [name, values[name] ?? null]));
}

function callingColumns({ table, called_by }: Resource): readonly string[] {
  const key = naturalKeyOf(table);
  return key.length > 0 ? key : (called_by ?? ["id"]);
}

/**
 * Returns the name of an entry's record. References appear as the entry writes them, for example as an email
 * address.
 */
export function nameOf(section: Section, entry: Input, whole: Values): string {
  const { table } = section;
  return (
    callingColumns(section)
      .map((column) =>
        referenceIn(table, column) === undefined ? whole[column] : entry[memberOf(table, column)],
      )
      // Records of the server have no organization.
      .filter((value) => value !== undefined && value !== null)
      .map(textOfJson)
      .join(" ")
  );
}

/** Returns the kind and name of a stored record, such as `membership ada@example.com acme`. */
export async function labelOf(store: Pick<Verbs, "find">, resource: Resource, row: Values): Promise<string> {
  const { table } = resource;
  const words = [kindOf(table)];
  for (const column of callingColumns(resource)) {
    if (row[column] === null) continue;
    const reference = referenceIn(table, column);
    const ellipsis = column.endsWith("_prefix") ? "…" : "";
    words.push(
      reference === undefined
        ? `${row[column]}${ellipsis}`
        : ((await nameOfId(store, reference.to, String(row[column]))) ?? "?"),
    );
  }
  return words.join(" ");
}

export async function nameOfId(
  store: Pick<Verbs, "find">,
  table: TableName,
  id: string,
): Promise<string | undefined> {
  const column = nameColumnOf(table);
  const row = (await store.find(table, { id } as never)) as Values | undefined;
  return row === undefined || column === undefined ? undefined : String(row[column]);
}
