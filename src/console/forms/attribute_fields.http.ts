/**
 * Shows attributes of a record as form fields of their own (OC-7). Values without such a field remain in the
 * JSON field.
 */
import { type AdminContext, permissionsOfActor } from "../../admin/access/actor.ts";
import type { Resource } from "../../admin/manage/resource.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import {
  type Attribute,
  attributesOfRow,
  isWrittenBy,
  organizationOfRow,
} from "../../records/rules/attributes.ts";
import { readerOf, subjectOf } from "../../records/rules/readers.ts";
import type { FieldGroup } from "../fields/field_groups.view.ts";
import type { FormField } from "./form_spec.http.ts";

const column = "attributes";

/** Replaces the field `attributes` by one for each attribute that the actor may read and write. */
export async function withAttributes(
  admin: AdminContext,
  { table }: Pick<Resource, "table">,
  fields: readonly FormField[],
  view: Readonly<Record<string, unknown>>,
): Promise<FormField[]> {
  const at = fields.findIndex(({ name }) => name === column);
  if (at === -1) return [...fields];
  const { platform, user_id } = await permissionsOfActor(admin);
  const owner = organizationOfRow(table, view);
  const definitions = await admin.store.attributeDefinitions(...(owner === null ? [] : [owner]));
  const reader = readerOf(user_id, subjectOf(table, view));
  const writer = table === "users" && !platform ? reader : "admin";
  const written = attributesOfRow(table, view, definitions).filter(
    (each) => isWrittenBy(writer, platform, each) && (platform || each.readers.includes(reader)),
  );
  const members = written.map(attributeField);
  const isCovered =
    members.length > 0 &&
    Object.keys(isObject(view[column]) ? view[column] : {}).every((name) =>
      written.some((each) => each.name === name),
    );
  return fields.flatMap((field, index) => (index !== at ? field : isCovered ? members : [...members, field]));
}

const shapes = {
  string: { kind: "string", plain: "line" },
  number: { kind: "int" },
  boolean: { kind: "bool", absent: false },
  date: { kind: "string" },
  list: { kind: "json", shape: "strings" },
} as const satisfies Readonly<Record<Attribute["value_type"], Partial<FormField>>>;

function attributeField({ name, value_type, label }: Attribute): FormField {
  const titled = label ?? undefined;
  return {
    ...{ name: `${column}.${name}`, member_of: column, titled, value_type, required: false, nullable: true },
    ...shapes[value_type],
  };
}

/** Returns the form's groups of fields, with one for the attributes. */
export function groupsWithAttributes(
  groups: readonly FieldGroup[],
  fields: readonly Pick<FormField, "name" | "member_of">[],
): FieldGroup[] {
  const own = fields.filter(({ name, member_of }) => name === column || member_of === column);
  return [...groups, { legend: "attributes", folded: true, names: own.map(({ name }) => name) }];
}
