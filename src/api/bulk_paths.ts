import { type BulkAct, bulkActsOf, bulkMembers, mostOperations } from "../admin/manage/bulk.ts";
import { givenFields, type Resource } from "../admin/manage/resource.ts";
import { eitherOf } from "../admin/resources/filters.ts";
import { nounsOf, pascal, pluralOf, schemaNames } from "./names.ts";
import { headerRef, type JsonSchema, type PathItem, parameterRef, schemaRef } from "./operation.ts";
import { always, content, operation, refusals } from "./operation_parts.ts";
import { capital, exampleFor, newRecordSchema } from "./schemas.ts";

const acts: Readonly<Record<BulkAct, string>> = {
  create: "create",
  update: "update",
  delete: "delete",
  revoke: "revoke",
};

/** Returns the path of a resource's bulk operation; empty if the resource has none. */
export function bulkPaths(resource: Resource): Record<string, PathItem> {
  const offered = bulkActsOf(resource);
  const [first] = offered;
  if (first === undefined) return {};
  const { resourceType, path } = resource;
  const many = nounsOf(resource);
  const verbs = offered.map((act) => acts[act]);
  return {
    [`/api/v1/bulk/${path}`]: {
      post: operation(resource, `${resourceType}:write`, {
        operationId: `change${pascal(pluralOf(resource))}InBulk`,
        summary: `${capital(eitherOf(verbs))} many ${many}`,
        description: `Runs up to ${mostOperations} operations in order, each in its own transaction. The status is 200 even if some fail. Each operation counts as one request toward the rate limit.`,
        parameters: [parameterRef("IdempotencyKey")],
        requestBody: {
          required: true,
          content: content(operationsSchema(resource), { operations: [exampleOf(resource, first)] }),
        },
        responses: {
          "200": {
            description: "One result per operation, in the same order",
            headers: { "Idempotency-Replayed": headerRef("IdempotencyReplayed") },
            content: content(resultsSchema(resource), {
              results: [{ status: first === "create" ? 201 : 200 }],
            }),
          },
          ...refusals([...always, 409, 413, 415, 422]),
        },
      }),
    },
  };
}

function operationsSchema(resource: Resource): JsonSchema {
  const several = bulkActsOf(resource).map((act) => operationSchema(resource, act));
  return {
    type: "object",
    required: ["operations"],
    additionalProperties: false,
    properties: {
      operations: {
        type: "array",
        minItems: 1,
        maxItems: mostOperations,
        items: several.length === 1 ? several[0] : { oneOf: several },
      },
    },
  };
}

function operationSchema(resource: Resource, act: BulkAct): JsonSchema {
  const { needs, takes } = bulkMembers[act];
  const names = schemaNames(resource);
  const removal = Object.keys(Object.fromEntries(givenFields(resource, "remove")));
  const data: Readonly<Record<BulkAct, object>> = {
    create: schemaRef(names.fresh),
    update: schemaRef(names.change),
    delete: {
      type: "object",
      description:
        removal.length === 0
          ? "Always empty"
          : `Takes what \`DELETE\` of one ${resource.noun} takes in its query: ${removal.map((name) => `\`${name}\``).join(", ")}`,
    },
    revoke: {},
  };
  const members: Readonly<Record<string, object>> = {
    id: { type: "string", format: "uuid", description: `ID of the ${resource.noun}` },
    if_match: {
      type: "string",
      description:
        "ETag of the version that the caller has read. If the record has changed since, the operation fails",
    },
    data: data[act],
  };
  const named = [...needs, ...takes].map((name) => [name, members[name]] as const);
  return {
    type: "object",
    required: ["op", ...needs],
    additionalProperties: false,
    properties: { op: { type: "string", enum: [act] }, ...Object.fromEntries(named) },
  };
}

function resultsSchema(resource: Resource): JsonSchema {
  const { record, created } = schemaNames(resource);
  return {
    type: "object",
    required: ["results"],
    properties: {
      results: {
        type: "array",
        items: {
          type: "object",
          required: ["status"],
          properties: {
            status: { type: "integer", description: "HTTP status of this operation" },
            etag: { type: "string", description: "ETag of the record, for `if_match`" },
            data: schemaRef(
              resource.create !== undefined && resource.output !== undefined ? created : record,
            ),
            error: schemaRef("Problem"),
          },
        },
      },
    },
  };
}

function exampleOf(resource: Resource, act: BulkAct) {
  const id = "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a";
  return act === "create"
    ? { op: act, data: exampleFor(newRecordSchema(resource), "required") }
    : { op: act, id };
}
