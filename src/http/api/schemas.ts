/**
 * The records as JSON Schema (2020-12), derived from their definition and from what the resources add to it.
 */
import { givenFields, isRequired, type OwnVerb, type Resource } from "../../admin/resources/resource.ts";
import { fieldsOf, type TableName, tables } from "../../records/definition.ts";
import { type Field, type Fields, mayBeShown, mustBeGiven } from "../../records/field.ts";
import { withArticle } from "../../web/words/en/record_nouns.ts";
import { exampleOf } from "./examples.ts";
import type { JsonSchema, Parameter } from "./operation.ts";

export interface ObjectSchema {
  readonly type: "object";
  readonly description: string;
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
}

const typeOfKind: Readonly<Record<Exclude<Field["kind"], "json">, JsonSchema>> = {
  uuid: { type: "string", format: "uuid" },
  string: { type: "string" },
  text: { type: "string" },
  int: { type: "integer" },
  bool: { type: "boolean" },
  time: { type: "string", format: "date-time" },
  signature: { type: "string" },
};

const textMarks = ({ not_empty, min_length, max_length }: Field): JsonSchema => ({
  ...((not_empty || min_length !== undefined) && { minLength: min_length ?? 1 }),
  ...(max_length !== undefined && { maxLength: max_length }),
});

/** An object of these members in the place of a text. */
function orObject(text: JsonSchema, members: Fields | undefined): JsonSchema {
  if (members === undefined) return text;
  return { oneOf: [text, { type: "object", ...membersOf(members), additionalProperties: false }] };
}

function membersOf(members: Fields = {}): JsonSchema {
  const entries = Object.entries(members);
  if (entries.length === 0) return {};
  return {
    properties: propertiesOf(entries),
    required: entries.filter(([, field]) => mustBeGiven(field)).map(([name]) => name),
  };
}

/** What a value of the field is, when it is not null. */
function typeOf(field: Field): JsonSchema {
  const { kind, shape, values, format, members, most, min, max } = field;
  if (kind !== "json") {
    const text = {
      ...typeOfKind[kind],
      ...(format === "email" && { format: "idn-email" }),
      ...(values !== undefined && { enum: values }),
      ...textMarks(field),
      ...(min !== undefined && { minimum: min }),
      ...(max !== undefined && { maximum: max }),
    };
    return orObject(text, members);
  }
  switch (shape) {
    case undefined:
      return {};
    case "object":
      return { type: "object", ...membersOf(members), additionalProperties: true };
    case "objects":
      return { type: "array", items: { type: "object", additionalProperties: true } };
    case "strings": {
      const each = { type: "string", ...textMarks(field), ...(most && { maxLength: most.characters }) };
      return {
        type: "array",
        items: orObject(each, members),
        ...(most !== undefined && { maxItems: most.items }),
      };
    }
    default:
      return shape satisfies never;
  }
}

/** What the definition says of a field's values. */
function schemaOf(name: string, field: Field): JsonSchema {
  const { type, enum: values, ...rest } = typeOf(field);
  return {
    ...(type !== undefined && { type: field.required ? type : [type, "null"] }),
    ...(Array.isArray(values) && { enum: field.required ? values : [...values, null] }),
    ...rest,
    description: meaningOf(field),
    ...exampleOf(name, field),
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

const propertiesOf = (fields: readonly (readonly [string, Field])[]) =>
  Object.fromEntries(fields.map(([name, field]) => [name, schemaOf(name, field)]));

/** The fields of a resource that leave the server, as `representation` gives them. */
function shownFields({ table }: Pick<Resource, "table">): [string, Field][] {
  return Object.entries(fieldsOf(table)).filter(([, field]) => mayBeShown(field));
}

/** A row of any table as it leaves the server, every field that may be shown. */
export function shownSchema(table: TableName): ObjectSchema {
  const fields = shownFields({ table });
  return {
    type: "object",
    description: capital(tables[table].source),
    properties: propertiesOf(fields),
    required: fields.map(([name]) => name),
    additionalProperties: false,
  };
}

/** Some columns of a row, as another answer holds it. */
export function columnsSchema(table: TableName, names: readonly string[]): ObjectSchema {
  const { properties, description } = shownSchema(table);
  const told = Object.entries(properties).filter(([name]) => names.includes(name));
  return {
    type: "object",
    description,
    properties: Object.fromEntries(told),
    required: [...names],
    additionalProperties: false,
  };
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
    properties: propertiesOf(Object.entries(output)),
  };
  return { allOf: [record, once] };
}

/** The fields of what is given; members that are no field of the record do not come back. */
function givenProperties(
  resource: Resource,
  verb: "create" | "update",
): Record<string, JsonSchema & { readonly default?: unknown }> {
  const members = resource.input?.[verb] ?? {};
  return Object.fromEntries(
    givenFields(resource, verb).map(([name, field]) => {
      const { default: otherwise = null } = field;
      const marks = {
        ...(Object.hasOwn(members, name) && { writeOnly: true }),
        ...(verb === "create" && otherwise !== null && { default: otherwise }),
      };
      return [name, { ...schemaOf(name, field), ...marks }];
    }),
  );
}

/** What may be given for a new record. */
export function newRecordSchema(resource: Resource): ObjectSchema {
  const required = givenFields(resource, "create")
    .filter(([name, field]) => isRequired(resource, name, field))
    .map(([name]) => name);
  return {
    type: "object",
    description: `What may be given for a new ${resource.noun}`,
    properties: givenProperties(resource, "create"),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** What may be given to change a record (RFC 7396). */
export function changeSchema(resource: Resource): ObjectSchema {
  return {
    type: "object",
    description: `What may be changed of ${withArticle(resource.noun)}; members that are left out stay as they are`,
    properties: givenProperties(resource, "update"),
    additionalProperties: false,
  };
}

/** What is given for a verb of the record's own. */
export function actSchema(resource: Resource, verb: OwnVerb): ObjectSchema {
  const fields = givenFields(resource, verb);
  return {
    type: "object",
    description: `What is given to ${actSummary(resource, verb)}`,
    properties: propertiesOf(fields),
    required: fields.filter(([, field]) => mustBeGiven(field)).map(([name]) => name),
    additionalProperties: false,
  };
}

/** What a verb does, in the infinitive. */
export function actSummary({ noun }: Pick<Resource, "noun">, verb: OwnVerb): string {
  const one = withArticle(noun);
  const summaries: Readonly<Record<OwnVerb, string>> = {
    register: `register ${one} that came by itself`,
    reset_factors: `take all second factors and passkeys of ${one}`,
    remove_factor: `take one passkey or authenticator app of ${one}`,
  };
  return summaries[verb];
}

/** What may be given to delete a record: one parameter for each member. */
export function removalParameters(resource: Resource): Parameter[] {
  return givenFields(resource, "remove").map(([name, field]) => {
    const { description, ...schema } = schemaOf(name, field);
    const required = mustBeGiven(field) && { required: true };
    return { name, in: "query", description: String(description), schema, ...required };
  });
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

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
