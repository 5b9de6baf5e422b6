import type { Resource } from "../../admin/manage/resource.ts";
import { fieldsOf, type TableName, tables } from "../../records/definition/definition.ts";
import { knownMembersOf } from "../../records/formats/known_members.ts";
import type { FieldShape } from "../fields/fields.view.ts";

const shapes: ReadonlyMap<string, ReadonlyMap<string, FieldShape>> = new Map(
  Object.keys(tables).map((table) => {
    const columns = Object.entries(fieldsOf(table as TableName));
    const members = columns.flatMap(([name]) => Object.entries(knownMembersOf(table as TableName, name)));
    return [table, new Map([...columns, ...members].map(([name, field]) => [name, { ...field, name }]))];
  }),
);

/**
 * Returns the shape of a column or of a known field in a JSON column; undefined if there is no such field.
 */
export function shapeOf({ table }: Pick<Resource, "table">, name: string): FieldShape | undefined {
  return shapes.get(table)?.get(name);
}

export function referenceOf(resource: Pick<Resource, "table">, name: string): string | undefined {
  return shapeOf(resource, name)?.references?.table;
}
