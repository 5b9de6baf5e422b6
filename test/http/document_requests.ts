/** Valid and invalid requests, generated only from the OpenAPI document. */
import type { OpenApiDocument } from "../../src/api/openapi.ts";
import type { Operation, Parameter, Reference } from "../../src/api/operation.ts";
import { listed } from "../support/listed.ts";

type Schema = Readonly<Record<string, unknown>>;

export interface DescribedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
  /** The schema of the JSON body; undefined if the operation takes none. */
  readonly body: Schema | undefined;
}

export function operationsOf(document: OpenApiDocument): DescribedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
      parameters: (operation.parameters ?? []).map((each) => resolved<Parameter>(document, each)),
      body: bodyOf(document, operation),
    })),
  );
}

function resolved<T>(document: OpenApiDocument, input: T | Reference): T {
  if (typeof input !== "object" || input === null || !("$ref" in input)) return input as T;
  const steps = input.$ref.split("/").slice(1);
  return steps.reduce<unknown>((found, step) => (found as Schema)[step], document) as T;
}

function bodyOf(document: OpenApiDocument, { requestBody }: Operation): Schema | undefined {
  const content = requestBody?.content as Record<string, { schema: Schema }> | undefined;
  const [first] = Object.values(content ?? {});
  return first === undefined ? undefined : resolved<Schema>(document, first.schema as unknown as Reference);
}

/**
 * Returns the JSON pointers of fields in a response that its schema does not describe. An object whose schema
 * names no properties may contain any.
 */
export function undescribed(document: OpenApiDocument, input: unknown, value: unknown, at = ""): string[] {
  const schemas = alternatives(document, input);
  if (Array.isArray(value)) {
    const items = schemas.flatMap(({ items }) => (items === undefined ? [] : [items]));
    return value.flatMap((each, index) => undescribed(document, { anyOf: items }, each, `${at}/${index}`));
  }
  if (typeof value !== "object" || value === null) return [];
  const named = schemas.flatMap(({ properties }) => (properties === undefined ? [] : [properties as Schema]));
  if (named.length === 0) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    const found = named.flatMap((properties) => (Object.hasOwn(properties, name) ? [properties[name]] : []));
    const pointer = `${at}/${name}`;
    return found.length === 0 ? [pointer] : undescribed(document, { anyOf: found }, each, pointer);
  });
}

/** Returns a schema with all schemas that it combines, without references. */
function alternatives(document: OpenApiDocument, input: unknown): Schema[] {
  const schema = resolved<Schema>(document, input as Schema);
  const parts = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => (schema[keyword] ?? []) as unknown[]);
  return [schema, ...parts.flatMap((part) => alternatives(document, part))];
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "number" && Number.isInteger(value) ? "integer" : typeof value;
}

/** Returns whether a value is valid under the schema. Supports the keywords that this document uses. */
export function fits(schema: Schema, value: unknown): boolean {
  const {
    type,
    oneOf,
    anyOf,
    enum: values,
    minLength,
    maxLength,
    minimum,
    maximum,
    pattern,
    format,
    items,
  } = schema;
  if (Array.isArray(anyOf)) return anyOf.some((each) => fits(each, value));
  if (Array.isArray(oneOf)) return oneOf.filter((each) => fits(each, value)).length === 1;
  if (Array.isArray(values) && !values.includes(value)) return false;
  if (type !== undefined && ![type].flat().includes(typeOf(value))) return false;
  if (typeof value === "string") {
    const length = [...value].length;
    if (typeof minLength === "number" && length < minLength) return false;
    if (typeof maxLength === "number" && length > maxLength) return false;
    if (typeof pattern === "string" && !new RegExp(pattern).test(value)) return false;
    if (format === "uuid" && !uuid.test(value)) return false;
    if (format === "date-time" && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value))
      return false;
    if (format === "email" && !/^[^@\s]+@[^@\s]+$/.test(value)) return false;
  }
  if (typeof value === "number") {
    if (typeof minimum === "number" && value < minimum) return false;
    if (typeof maximum === "number" && value > maximum) return false;
  }
  if (Array.isArray(value) && items !== undefined) return value.every((each) => fits(items as Schema, each));
  if (typeOf(value) === "object") {
    const input = value as Schema;
    const { required = [], properties = {}, additionalProperties } = schema;
    if ((required as string[]).some((name) => !Object.hasOwn(input, name))) return false;
    const known = properties as Record<string, Schema>;
    return Object.entries(input).every(([name, each]) =>
      Object.hasOwn(known, name) ? fits(known[name] ?? {}, each) : additionalProperties !== false,
    );
  }
  return true;
}

/** Returns values of every kind, at the limits of the schema and beyond them. */
export function valuesAround(schema: Schema): unknown[] {
  const { maxLength, minLength, minimum, maximum } = schema;
  const lengths = [maxLength, typeof maxLength === "number" ? maxLength + 1 : undefined].filter(
    (length) => typeof length === "number",
  );
  const short = typeof minLength === "number" && minLength > 1 ? ["a".repeat(minLength - 1)] : [];
  const numbers = [minimum, maximum].flatMap((edge) =>
    typeof edge === "number" ? [edge - 1, edge, edge + 1] : [],
  );
  return [
    ...[
      null,
      true,
      0,
      1.5,
      "",
      "x",
      [],
      {},
      [null],
      [1],
      [{}],
      ["x", 1],
      { x: { y: [] } },
      Number.MAX_SAFE_INTEGER,
    ],
    ...lengths.map((length) => "a".repeat(length)),
    ...short,
    ...numbers,
  ];
}

/** Returns the value of a parameter's text: a number or a boolean if the schema requires one. */
function readAs(schema: Schema, text: string): unknown {
  if (schema.type === "integer") return /^-?\d+$/.test(text) ? Number(text) : text;
  if (schema.type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  return text;
}

export interface TriedText {
  readonly text: string;
  readonly fits: boolean;
}

/** Returns texts for a parameter: empty, of another type, too long, and at its limits. */
export function textsAround({ schema }: Parameter): TriedText[] {
  const { minimum, maximum, maxLength } = schema;
  const edges = [minimum, maximum].flatMap((edge) =>
    typeof edge === "number" ? [edge - 1, edge, edge + 1] : [],
  );
  const values = Array.isArray(schema.enum) ? schema.enum : [];
  const texts = [
    ...[
      "",
      ...listed`
        x true 1 0 -1 1.5 null
      `,
      ...["a b", "%", '"', "\u{1f600}"],
      "9".repeat(40),
      "a".repeat(2000),
    ],
    ...["2026-01-31T12:00:00Z", "01b8dac5-b400-71b4-87c7-48f448ce5396"],
    ...(typeof maxLength === "number" ? ["a".repeat(maxLength), "a".repeat(maxLength + 1)] : []),
    ...[...edges, ...values].map(String),
  ];
  return [...new Set(texts)].map((text) => ({ text, fits: fits(schema, readAs(schema, text)) }));
}
