import { fieldsOf, type TableName } from "../../../records/definition/definition.ts";
import { mayBeGiven } from "../../../records/definition/field.ts";
import type { Values } from "../../manage/planned_record.ts";
import { givenFields, type Resource } from "../../manage/resource.ts";

/** A manifest contains the names of referenced records instead of their ids. */
export interface Reference {
  readonly column: string;
  readonly to: TableName;
  readonly is_list: boolean;
}

/** Returns a column's name in a manifest: `organization` for `organization_id`, `apps` for `app_ids`. */
export function memberOf(table: TableName, column: string): string {
  return referenceIn(table, column) === undefined ? column : column.replace(/_id(s?)$/, "$1");
}

export function referenceIn(table: TableName, column: string): Reference | undefined {
  const fields = fieldsOf(table);
  const field = Object.hasOwn(fields, column) ? fields[column] : undefined;
  const to = field?.references?.table ?? field?.ids_of;
  return to === undefined ? undefined : { column, to: to as TableName, is_list: field?.ids_of !== undefined };
}

export function referencesOf(table: TableName): ReadonlyMap<string, Reference> {
  return new Map(
    Object.keys(fieldsOf(table)).flatMap((column) => {
      const reference = referenceIn(table, column);
      return reference === undefined ? [] : [[memberOf(table, column), reference] as const];
    }),
  );
}

/** Returns the text by which a later run recognizes the record with these identifying values. */
export function keyText(table: TableName, where: Values): string {
  return `${table} ${JSON.stringify(where)}`;
}

export function columnsOf(resource: Resource): string[] {
  const { table, manifest } = resource;
  const also: readonly string[] = manifest?.also_given ?? [];
  const input = givenFields(resource, "create").map(([name]) => name);
  return Object.entries(fieldsOf(table)).flatMap(([name, field]) =>
    mayBeGiven(field) &&
    referenceIn(table, name) === undefined &&
    (input.includes(name) || also.includes(name))
      ? [name]
      : [],
  );
}

/** Returns the values of these columns in `view`, without null values. */
export function pick(view: Values, columns: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(columns.map((name) => [name, view[name]]).filter(([, value]) => value !== null));
}

/**
 * Returns the path of an error in a manifest: `/redirect_uris/0` in `apps[2]` becomes
 * `apps[2].redirect_uris[0]`.
 */
export function pathBelow(parent: string, pointer: string, table?: TableName): string {
  const steps = pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  return steps.reduce((path, step, depth) => {
    const name = depth === 0 && table !== undefined ? memberOf(table, step) : step;
    return /^\d+$/.test(name) ? `${path}[${name}]` : `${path}.${name}`;
  }, parent);
}
