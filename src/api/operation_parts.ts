import { includableOf } from "../admin/resources/include.ts";
import type { Filter, Resource } from "../admin/resources/resources.ts";
import { knownValuesOf } from "../records/definition/known_values.ts";
import { highestTotal, sortableColumnsOf } from "../records/definition/list_orders.ts";
import { type Permission, scopeOf } from "../records/definition/permissions.ts";
import { feedParameters } from "./event_schemas.ts";
import { pluralOf } from "./names.ts";
import {
  headerRef,
  type Json,
  type JsonSchema,
  type Operation,
  type Parameter,
  parameterRef,
  type Reference,
  schemaRef,
} from "./operation.ts";
import { capital, exampleFor, recordSchema } from "./schemas.ts";

export const json = "application/json";

export function refusals(statuses: readonly number[]): Json {
  return Object.fromEntries(
    [...new Set(statuses)]
      .sort()
      .map((status) => [String(status), { $ref: `#/components/responses/Refusal${status}` }]),
  );
}

export const always = [400, 401, 403, 429, 500, 503];

export function content(schema: unknown, example: unknown): Json {
  return { [json]: { schema, example } };
}

export const etagHeader = { ETag: headerRef("ETag") };

export function filterParameter({ table }: Resource, { name, kind, meaning, values, to }: Filter): Parameter {
  const text = { type: "string", minLength: 1 };
  const known = kind === "text" ? knownValuesOf(table, to) : undefined;
  const schemas: Readonly<Record<Filter["kind"], JsonSchema>> = {
    id: { type: "string", format: "uuid" },
    text: known === undefined ? text : { anyOf: [{ type: "string", enum: known }, text] },
    bool: { type: "boolean" },
    time: { type: "string", format: "date-time" },
    word: { ...text, ...(values !== undefined && { enum: values }) },
  };
  return { name, in: "query", description: capital(meaning), schema: schemas[kind] };
}

/** Returns the path parameter `id`, the ID of a record of this kind. */
export function idParameter(noun: string): Parameter {
  return {
    name: "id",
    in: "path",
    required: true,
    description: `ID of the ${noun}`,
    schema: { type: "string", format: "uuid" },
  };
}

function sortParameter({ table }: Resource): Parameter {
  return {
    name: "sort",
    in: "query",
    description: "Field to sort by",
    schema: { type: "string", enum: [...sortableColumnsOf(table)] },
  };
}

/**
 * Returns the query parameters of the resource's list. The filter `without` is omitted, because its value is
 * in the path.
 */
export function listParameters(resource: Resource, without?: Filter): (Parameter | Reference)[] {
  const filters = resource.filters.filter((filter) => filter !== without);
  return [
    parameterRef("Limit"),
    parameterRef("Cursor"),
    sortParameter(resource),
    parameterRef("Order"),
    parameterRef("Total"),
    ...filters.map((filter) => filterParameter(resource, filter)),
    ...includeParameter(resource),
    ...(resource.resourceType === "events" && without === undefined ? feedParameters : []),
  ];
}

/** Returns the parameter `include`; empty if the records refer to no other records. */
export function includeParameter(resource: Resource): Parameter[] {
  const names = includableOf(resource);
  if (names.length === 0) return [];
  const records = resource.includes === undefined ? "related records" : "related records and values";
  const one = `(?:${names.map((name) => name.replace(".", "\\.")).join("|")})`;
  return [
    {
      name: "include",
      in: "query",
      description: `${names.length > 1 ? `Comma-separated ${records}` : "The related record"} to return in \`included\`: ${names.join(", ")}`,
      schema: { type: "string", pattern: `^${one}(?:,${one})*$` },
    },
  ];
}

type Described = Partial<Operation> & Pick<Operation, "operationId" | "summary" | "responses">;

export function operation(
  resource: Resource,
  permission: Permission,
  { description = "", ...of }: Described,
): Operation & Json {
  const scope = scopeOf(permission);
  return operationOf([pluralOf(resource)], [scope], {
    ...of,
    description: `${description}${description && " "}Requires the permission \`${permission}\`. A token or API key also needs the scope \`${scope}\` or a broader one.`,
  });
}

/**
 * Adds tags and the accepted credentials to an operation. `scopes` are the scopes that tokens and API keys
 * need.
 */
export function operationOf(
  tags: readonly string[],
  scopes: readonly string[],
  of: Described & Pick<Operation, "description">,
): Operation & Json {
  return { ...of, tags, security: [{ bearer: scopes }, { session: [] }] };
}

export function listSchema(name: string): JsonSchema {
  return {
    type: "object",
    required: ["data", "next_cursor", "previous_cursor"],
    properties: {
      data: { type: "array", items: schemaRef(name) },
      next_cursor: {
        type: ["string", "null"],
        description: "Cursor of the next page; null on the last page",
      },
      previous_cursor: {
        type: ["string", "null"],
        description: "Cursor of the previous page; null on the first page",
      },
      total: {
        type: "integer",
        minimum: 0,
        maximum: highestTotal,
        description: `Number of matching records, at most ${highestTotal}; absent unless the request has \`total=true\``,
      },
      ...(name === "Event" && {
        position: {
          type: "integer",
          minimum: 0,
          description: "Position up to which the feed was read; absent unless the request has `after`",
        },
        cursor: {
          type: "string",
          description: "Value of `after` for the next request; absent unless the request has `after`",
        },
      }),
      total_is_more: {
        type: "boolean",
        description: `Whether more than ${highestTotal} records match; absent unless the request has \`total=true\``,
      },
    },
  };
}

export function listedExample(resource: Resource): Json {
  const example = Object.entries(exampleFor(recordSchema(resource)));
  return Object.fromEntries(example.filter(([name]) => !resource.unlisted?.includes(name)));
}
