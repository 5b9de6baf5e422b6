/** The fields of a resource type as pages take them: shown, or asked for by a form. */
import type { JsonSchema, Resource } from "../../admin/resources/resources.ts";
import { fieldsOf } from "../../records/definition.ts";
import type { PublicView } from "../../records/view.ts";
import type { FieldShape } from "../../web/console/fields.ts";
import { changeSchema, newRecordSchema } from "../api/schemas.ts";
import { presentations } from "./presentations.ts";

export type FormVerb = "create" | "update";

/** A field of a form. */
export interface FormField extends FieldShape {
  /** Stands for this table's record: its id, or what people know it by. */
  readonly references?: string | undefined;
  /** Never shown again. */
  readonly secret?: boolean;
  readonly many_of?: readonly string[] | undefined;
  /** It may be emptied. */
  readonly nullable: boolean;
  /** What a new record has when nothing else is said. */
  readonly initial?: unknown;
}

/** A field of the record as it is shown; undefined when it has none of this name. */
export function shapeOf(resource: Resource, name: string): FieldShape | undefined {
  const fields = fieldsOf(resource.table);
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field === undefined) return undefined;
  const { kind, required, shape, values, max_length, min, max } = field;
  return { name, kind, required, shape, values, max_length, min, max };
}

/** The table that a field of the record refers to. */
export function referenceOf({ table }: Resource, name: string): string | undefined {
  return fieldsOf(table)[name]?.references?.table;
}

/**
 * What the form of a new record asks for, or with `view` the one that changes a record: of what may be given
 * (docs/api.md) that which the resource type's presentation names, in its order. Who is no platform
 * administrator is not asked for what is only theirs to give, and nobody for a change that has a page of its
 * own. `own_id` is the viewer's: some changes of one's own record take a proof.
 */
export function formFields(
  resource: Resource,
  is_platform_admin: boolean,
  view?: PublicView,
  own_id?: string,
): FormField[] {
  const { asked, administrators, kept = [], proofs = {} } = presentations[resource.resourceType];
  const verb = view === undefined ? "create" : "update";
  const schema = view === undefined ? newRecordSchema(resource) : changeSchema(resource);
  const left = new Set([
    ...(is_platform_admin ? [] : (administrators?.fields ?? [])),
    ...(view === undefined ? [] : [...kept, ...destructiveFields(resource, view)]),
  ]);
  if (view !== undefined && view.id === own_id) {
    for (const [name, proof] of Object.entries(proofs)) if (!left.has(name)) left.delete(proof);
  }
  return asked
    .filter((name) => Object.hasOwn(schema.properties, name) && !left.has(name))
    .map((name) => formField(resource, verb, name, schema.required?.includes(name) === true));
}

/** The fields that are changed on a page of their own as the record stands. */
function destructiveFields({ resourceType }: Resource, view: PublicView): string[] {
  const { destructive = [] } = presentations[resourceType];
  return destructive.flatMap((change) =>
    change.while === undefined || view[change.field] === change.while
      ? [change.field, ...(change.with ?? [])]
      : [],
  );
}

/** One field of a form; `required` says that a new record cannot do without. */
export function formField(
  resource: Resource,
  verb: FormVerb | "remove",
  name: string,
  required = false,
): FormField {
  const extra = resource.input?.[verb]?.[name];
  if (extra !== undefined) return extraField(name, extra.schema, required);
  const field = fieldsOf(resource.table)[name];
  const shape = shapeOf(resource, name);
  if (field === undefined || shape === undefined) {
    throw new TypeError(`${resource.resourceType} has no field ${name} to ask for`);
  }
  const { offered, left_open } = presentations[resource.resourceType];
  const initial = verb === "create" && !left_open?.includes(name) ? field.default : undefined;
  const isChosen = field.values !== undefined && initial !== undefined;
  const isOneValue = field.kind !== "bool" && field.kind !== "json";
  return {
    ...shape,
    ...(name === "email" && { kind: "email" as const }),
    required: verb === "create" ? required || isChosen : field.required && isOneValue,
    nullable: !field.required,
    references: field.references?.table,
    many_of: offered?.[name],
    initial,
  };
}

/** A member beside the record's own fields, by what its schema says. */
function extraField(name: string, schema: JsonSchema, required: boolean): FormField {
  const base = { name, required, nullable: false };
  const { type, format, minimum, maximum, writeOnly } = schema;
  if (type === "integer") {
    return {
      ...base,
      kind: "int",
      ...(typeof minimum === "number" && { min: minimum }),
      ...(typeof maximum === "number" && { max: maximum }),
    };
  }
  if (type === "object") return { ...base, kind: "json", shape: "object" };
  if (format === "email") return { ...base, kind: "email", max_length: 320 };
  return writeOnly === true ? { ...base, kind: "password", secret: true } : { ...base, kind: "string" };
}
