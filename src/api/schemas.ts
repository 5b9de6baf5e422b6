import { givenFields, isRequired, type OwnVerb, type Resource } from "../admin/manage/resource.ts";
import { referencesOf } from "../admin/resources/include.ts";
import { recordNouns } from "../errors/messages.ts";
import { fieldsOf, type TableName } from "../records/definition/definition.ts";
import { type Field, type Fields, mayBeShown, mustBeGiven } from "../records/definition/field.ts";
import { knownValuesOf } from "../records/definition/known_values.ts";
import { valuesOfFormat } from "../records/formats/formats.ts";
import { withArticle } from "../web/words/en/record_nouns.ts";
import { exampleOf } from "./examples.ts";
import { schemaNames } from "./names.ts";
import { type JsonSchema, type Parameter, schemaRef } from "./operation.ts";

export interface ObjectSchema {
  readonly type: "object";
  readonly description?: string;
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
}

const typeOfKind: Readonly<Record<Exclude<Field["kind"], "json">, JsonSchema>> = {
  uuid: { type: "string", format: "uuid" },
  string: { type: "string" },
  text: { type: "string" },
  int: { type: "integer" },
  long: { type: "integer" },
  bool: { type: "boolean" },
  time: { type: "string", format: "date-time" },
  signature: { type: "string" },
};

const textMarks = ({ not_empty, min_length, max_length }: Field): JsonSchema => ({
  ...((not_empty || min_length !== undefined) && { minLength: min_length ?? 1 }),
  ...(max_length !== undefined && { maxLength: max_length }),
});

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

interface Place {
  readonly table?: TableName;
  readonly input?: boolean;
}

function orKnown(text: JsonSchema, known: readonly string[] | undefined): JsonSchema {
  return known === undefined ? text : { anyOf: [{ type: "string", enum: known }, text] };
}

function typeOf(name: string, field: Field, { table, input }: Place): JsonSchema {
  const { kind, shape, values, format, members, most, min, max, named_as } = field;
  const known = table === undefined ? undefined : knownValuesOf(table, name);
  if (kind !== "json") {
    const text = {
      ...typeOfKind[kind],
      ...(format === "email" && { format: "idn-email" }),
      ...(values !== undefined && { enum: values }),
      ...textMarks(field),
      ...(min !== undefined && { minimum: min }),
      ...(max !== undefined && { maximum: max }),
    };
    return orKnown(orObject(text, members), known);
  }
  switch (shape) {
    case undefined:
      return {};
    case "object":
      return { type: "object", ...membersOf(members), additionalProperties: true };
    case "objects":
      return { type: "array", items: { type: "object", additionalProperties: true } };
    case "strings": {
      const words = valuesOfFormat(format, input);
      const each = {
        type: "string",
        ...(words !== undefined && { enum: words }),
        ...textMarks(field),
        ...(most && { maxLength: (input && named_as?.characters) || most.characters }),
      };
      return {
        type: "array",
        items: orKnown(orObject(each, members), known),
        ...(most !== undefined && { maxItems: most.items }),
      };
    }
    default:
      return shape satisfies never;
  }
}

function schemaOf(name: string, field: Field, place: Place = {}): JsonSchema {
  const { type, enum: values, anyOf, ...rest } = typeOf(name, field, place);
  const nothing = field.required ? [] : [{ type: "null" }];
  return {
    ...(type !== undefined && { type: field.required ? type : [type, "null"] }),
    ...(Array.isArray(values) && { enum: field.required ? values : [...values, null] }),
    ...(Array.isArray(anyOf) && { anyOf: [...anyOf, ...nothing] }),
    ...rest,
    description: meaningOf(field, place),
    ...exampleOf(name, field, place.table),
  };
}

function meaningOf(
  { meaning, unique, immutable, auto_create, confidential, named_as }: Field,
  { input = false }: Place,
): string {
  const remarks = [
    ...(unique ? ["unique"] : []),
    ...(immutable && !auto_create ? ["immutable"] : []),
    ...(confidential && !input ? ["returned only to platform administrators and the user"] : []),
  ];
  const text = capital(input && named_as ? meaning.replace(/^IDs/, named_as.words) : meaning);
  if (remarks.length === 0) return text;
  const end = text.search(/;|\. /);
  const first = end === -1 ? text : text.slice(0, end);
  return `${first} (${remarks.join(", ")})${text.slice(first.length)}`;
}

const propertiesOf = (fields: readonly (readonly [string, Field])[], place: Place = {}) =>
  Object.fromEntries(fields.map(([name, field]) => [name, schemaOf(name, field, place)]));

function shownFields({ table }: Pick<Resource, "table">): [string, Field][] {
  return Object.entries(fieldsOf(table)).filter(([, field]) => mayBeShown(field));
}

/** Returns the schema of a table's row in responses, with every field that may be shown. */
export function shownSchema(table: TableName): ObjectSchema {
  const fields = shownFields({ table });
  return {
    type: "object",
    description: capital(withArticle(recordNouns[table])),
    properties: propertiesOf(fields, { table }),
    required: fields.map(([name]) => name),
    additionalProperties: false,
  };
}

export function columnsSchema(table: TableName, names: readonly string[]): ObjectSchema {
  const { properties, description } = shownSchema(table);
  const exposed = Object.entries(properties).filter(([name]) => names.includes(name));
  return {
    type: "object",
    ...(description !== undefined && { description }),
    properties: Object.fromEntries(exposed),
    required: [...names],
    additionalProperties: false,
  };
}

/** Returns the schema of a record in responses. */
export function recordSchema(resource: Resource): ObjectSchema {
  const { noun, table, unlisted = [] } = resource;
  const fields = shownFields(resource);
  const left_out = (name: string) => unlisted.includes(name) || fieldsOf(table)[name]?.confidential === true;
  const input = new Set(
    [...givenFields(resource, "create"), ...givenFields(resource, "update")].map(([name]) => name),
  );
  const properties = fields.map(([name, field]) => {
    const marks = input.has(name) ? {} : { readOnly: true };
    return [name, { ...schemaOf(name, field, { table }), ...marks }] as const;
  });
  return {
    type: "object",
    description: capital(withArticle(noun)),
    properties: { ...Object.fromEntries(properties), ...includedSchema(resource) },
    required: fields.map(([name]) => name).filter((name) => !left_out(name)),
  };
}

function includedSchema(resource: Resource): Record<string, JsonSchema> {
  const { includes = {} } = resource;
  const references = referencesOf(resource).map(({ name, to }) => {
    const record = schemaRef(schemaNames(to).record);
    return [name, { oneOf: [record, { type: "null" }] }];
  });
  if (references.length === 0) return {};
  const description =
    "What the request named in `include`; null for a record that does not exist or that the caller may not read";
  const values = Object.entries(includes).map(([name, { field }]) => [name, schemaOf(name, field)]);
  const properties: Record<string, JsonSchema> = Object.fromEntries([...references, ...values]);
  return { included: { type: "object", description, readOnly: true, properties } };
}

/**
 * Returns the schema of the record, such as an invitation, that exists until a user accepts and the requested
 * record is created.
 */
export function pendingSchema({ table, noun }: NonNullable<Resource["asks"]>): ObjectSchema {
  const fields = shownFields({ table });
  return {
    type: "object",
    description: capital(withArticle(noun)),
    properties: Object.fromEntries(
      fields.map(([name, field]) => [name, { ...schemaOf(name, field, { table }), readOnly: true }]),
    ),
    required: fields.map(([name]) => name),
  };
}

/** Returns the schema of a record with the values that are returned only once. */
export function createdSchema(resource: Resource, record: JsonSchema): JsonSchema {
  const { output } = resource;
  if (output === undefined) return record;
  const once: ObjectSchema = {
    type: "object",
    description: "Generated values that no later response contains",
    properties: propertiesOf(Object.entries(output)),
  };
  return { allOf: [record, once] };
}

function givenProperties(resource: Resource, verb: "create" | "update"): Record<string, JsonSchema> {
  const { made_when_absent = {} } = resource;
  const members = resource.input?.[verb] ?? {};
  const place = { table: resource.table, input: true };
  return Object.fromEntries(
    givenFields(resource, verb).map(([name, field]) => {
      const schema = schemaOf(name, field, place);
      const { default: otherwise = null } = field;
      const made = Object.hasOwn(made_when_absent, name) ? made_when_absent[name] : undefined;
      const usual = made ?? (otherwise === null ? undefined : JSON.stringify(otherwise));
      // The default is stated in words, because some code generators treat a field with the keyword `default`
      // as always present.
      const description =
        verb === "create" && usual !== undefined
          ? `${schema.description}. Default: ${usual}`
          : schema.description;
      return [name, { ...schema, description, ...(Object.hasOwn(members, name) && { writeOnly: true }) }];
    }),
  );
}

export function newRecordSchema(resource: Resource): ObjectSchema {
  const required = givenFields(resource, "create")
    .filter(([name, field]) => isRequired(resource, name, field))
    .map(([name]) => name);
  return {
    type: "object",
    description: `Fields of a new ${resource.noun}`,
    properties: givenProperties(resource, "create"),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** Returns the schema of the input that changes a record (RFC 7396). */
export function changeSchema(resource: Resource): ObjectSchema {
  return {
    type: "object",
    description: `Changes to ${withArticle(resource.noun)}`,
    properties: givenProperties(resource, "update"),
    additionalProperties: false,
  };
}

export function actSchema(resource: Resource, verb: OwnVerb): ObjectSchema {
  const fields = givenFields(resource, verb);
  return {
    type: "object",
    properties: propertiesOf(fields, { input: true }),
    required: fields.filter(([, field]) => mustBeGiven(field)).map(([name]) => name),
    additionalProperties: false,
  };
}

export function actSummary({ noun }: Pick<Resource, "noun">, verb: OwnVerb): string {
  const one = withArticle(noun);
  const summaries: Readonly<Record<OwnVerb, string>> = {
    register: `register ${one} from its client metadata document`,
    reset_factors: `remove all second factors and passkeys of ${one}`,
    remove_factor: `remove one passkey or authenticator app of ${one}`,
    sign_out: `sign ${one} out everywhere`,
    revoke_everything: `revoke all access of ${one}`,
    test_logout: `send a test sign-out notice to ${one}`,
    retry: `retry ${one}`,
    ping: `send a test event to ${one}`,
    replay: `resend events to ${one}`,
    rotate_secret: `replace the secret of ${one}`,
  };
  return summaries[verb];
}

export function removalParameters(resource: Resource): Parameter[] {
  return givenFields(resource, "remove").map(([name, field]) => {
    const { description, ...schema } = schemaOf(name, field);
    const required = mustBeGiven(field) && { required: true };
    return { name, in: "query", description: String(description), schema, ...required };
  });
}

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
