/**
 * The records as JSON Schema (2020-12), derived from their definition and from what the resources add to it.
 */
import {
  type ExtraMembers,
  givenFields,
  type JsonSchema,
  type Resource,
} from "../../admin/resources/resource.ts";
import { fieldsOf } from "../../records/definition.ts";
import type { Field } from "../../records/field.ts";
import { exampleOf, examplesNamed } from "./examples.ts";

export interface ObjectSchema {
  readonly type: "object";
  readonly description: string;
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
}

const schemaOfKind: Readonly<Record<Field["kind"], JsonSchema>> = {
  uuid: { type: "string", format: "uuid" },
  string: { type: "string" },
  text: { type: "string" },
  int: { type: "integer" },
  bool: { type: "boolean" },
  time: { type: "string", format: "date-time" },
  json: {},
  signature: { type: "string" },
};

const schemaOfShape: Readonly<Record<NonNullable<Field["shape"]>, JsonSchema>> = {
  strings: { type: "array", items: { type: "string" } },
  object: { type: "object", additionalProperties: true },
  objects: { type: "array", items: { type: "object", additionalProperties: true } },
};

/** What the definition says of a field's values. */
function schemaOf(name: string, field: Field): JsonSchema {
  const { kind, shape, required, values, not_empty, max_length, most, min, max } = field;
  const { type, ...base } = shape === undefined ? schemaOfKind[kind] : schemaOfShape[shape];
  return {
    ...(type !== undefined && { type: required ? type : [type, "null"] }),
    ...base,
    description: meaningOf(field),
    ...(values !== undefined && { enum: required ? values : [...values, null] }),
    ...(not_empty && { minLength: 1 }),
    ...(max_length !== undefined && { maxLength: max_length }),
    ...(most !== undefined && {
      maxItems: most.items,
      items: { type: "string", maxLength: most.characters },
    }),
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
    examples: [exampleOf(name, field)],
  };
}

function meaningOf({ meaning, unique, immutable, references, confidential }: Field): string {
  const remarks = [
    ...(references === undefined ? [] : [`the id of a record of ${references.table}`]),
    ...(unique ? ["unique"] : []),
    ...(immutable ? ["does not change"] : []),
    ...(confidential ? ["absent for readers who are neither platform administrators nor the person"] : []),
  ];
  const text = meaning.charAt(0).toUpperCase() + meaning.slice(1);
  return remarks.length === 0 ? text : `${text} (${remarks.join(", ")})`;
}

/** The fields of a resource that leave the server, as `representation` gives them. */
function shownFields({ table }: Pick<Resource, "table">): [string, Field][] {
  return Object.entries(fieldsOf(table)).filter(
    ([, { sensitive, internal, kind }]) => !sensitive && !internal && kind !== "signature",
  );
}

function extraSchemas(members: ExtraMembers = {}): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(members).map(([name, { meaning, schema }]) => [
      name,
      { ...examplesNamed(name), ...schema, description: capital(meaning) },
    ]),
  );
}

function requiredOf(members: ExtraMembers = {}): string[] {
  return Object.keys(members).filter((name) => members[name]?.required);
}

/**
 * A record as it is answered. Members that lists, or readers who may not know them, do without are not
 * required.
 */
export function recordSchema(resource: Resource): ObjectSchema {
  const { noun, table, unlisted = [] } = resource;
  const fields = shownFields(resource);
  const left_out = (name: string) => unlisted.includes(name) || fieldsOf(table)[name]?.confidential === true;
  const given = new Set(
    [...givenFields(resource, "create"), ...givenFields(resource, "update")].map(([name]) => name),
  );
  const properties = fields.map(([name, field]) => {
    const marks = given.has(name) ? {} : { readOnly: true };
    return [name, { ...schemaOf(name, field), ...marks }] as const;
  });
  return {
    type: "object",
    description: capital(withArticle(noun)),
    properties: Object.fromEntries(properties),
    required: fields.map(([name]) => name).filter((name) => !left_out(name)),
  };
}

/** What somebody is asked by in the place of a record. */
export function askedSchema({ table, noun }: NonNullable<Resource["asks"]>): ObjectSchema {
  const fields = shownFields({ table });
  return {
    type: "object",
    description: capital(withArticle(noun)),
    properties: Object.fromEntries(
      fields.map(([name, field]) => [name, { ...schemaOf(name, field), readOnly: true }]),
    ),
    required: fields.map(([name]) => name),
  };
}

/** A record and what is shown of it once. */
export function createdSchema(resource: Resource, record: JsonSchema): JsonSchema {
  const { output, noun } = resource;
  if (output === undefined) return record;
  const once: ObjectSchema = {
    type: "object",
    description: `What is shown of a new ${noun} now and never again; absent where nothing was made`,
    properties: extraSchemas(output),
  };
  return { allOf: [record, once] };
}

/** What may be given for a new record. */
export function newRecordSchema(resource: Resource): ObjectSchema {
  const extra = resource.input?.create;
  const made = ["id", ...(resource.made_when_absent ?? [])];
  const fields = givenFields(resource, "create").filter(([name]) => extra?.[name] === undefined);
  const properties = fields.map(([name, field]) => {
    const has_default = field.default !== undefined && field.default !== null;
    return [name, { ...schemaOf(name, field), ...(has_default && { default: field.default }) }] as const;
  });
  const required = [
    ...fields
      .filter(([name, field]) => field.default === undefined && !made.includes(name))
      .map(([name]) => name),
    ...requiredOf(extra),
  ];
  return {
    type: "object",
    description: `What may be given for a new ${resource.noun}`,
    properties: { ...Object.fromEntries(properties), ...extraSchemas(extra) },
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** What may be given to change a record (RFC 7396). */
export function changeSchema(resource: Resource): ObjectSchema {
  const extra = resource.input?.update;
  const fields = givenFields(resource, "update").filter(([name]) => extra?.[name] === undefined);
  return {
    type: "object",
    description: `What may be changed of ${withArticle(resource.noun)}; members that are left out stay as they are`,
    properties: {
      ...Object.fromEntries(fields.map(([name, field]) => [name, schemaOf(name, field)])),
      ...extraSchemas(extra),
    },
    additionalProperties: false,
  };
}

/** An example that a schema's own examples give. */
export function exampleFor({ properties, required }: ObjectSchema, only: "all" | "required" = "all") {
  const shown = Object.entries(properties).filter(
    ([name]) => only === "all" || required === undefined || required.includes(name),
  );
  return Object.fromEntries(
    shown.flatMap(([name, schema]) => {
      const { examples } = schema;
      return Array.isArray(examples) && examples.length > 0 ? [[name, examples[0]]] : [];
    }),
  );
}

export function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) && !/^us/i.test(noun) ? "an" : "a"} ${noun}`;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
