import { nestedListsOf } from "../admin/resources/nested_lists.ts";
import type { Resource } from "../admin/resources/resources.ts";
import { fieldsOf } from "../records/definition/definition.ts";
import { withArticle } from "../web/words/en/record_nouns.ts";
import { nounsOf, pascal, schemaNames } from "./names.ts";
import { type JsonSchema, type PathItem, parameterRef, schemaRef } from "./operation.ts";
import {
  always,
  content,
  etagHeader,
  idParameter,
  includeParameter,
  listedExample,
  listParameters,
  listSchema,
  operation,
  refusals,
} from "./operation_parts.ts";
import { namedPathOf } from "./reading_routes.ts";
import { capital, exampleFor, recordSchema } from "./schemas.ts";

const mayContainSlash: ReadonlySet<string> = new Set(["client_id", "email", "identifier"]);

/**
 * Returns the path that finds a record by its natural key, such as a client ID; empty if the resource has no
 * such key.
 */
export function namedPaths(resource: Resource): Record<string, PathItem> {
  const named = namedPathOf(resource);
  if (named === undefined) return {};
  const { noun, resourceType, table } = resource;
  const { path, column } = named;
  const name = column === "email" ? "email address" : column;
  const record = recordSchema(resource);
  const { max_length } = fieldsOf(table)[column] ?? {};
  const schema: JsonSchema = { type: "string", minLength: 1, ...(max_length && { maxLength: max_length }) };
  return {
    [`${path}/{${column}}`]: {
      get: operation(resource, `${resourceType}:read`, {
        operationId: `get${schemaNames(resource).record}By${pascal(column)}`,
        summary: `Get ${withArticle(noun)} by ${name}`,
        ...(mayContainSlash.has(column) && {
          description: "Percent-encode the value in the path: a slash is %2F.",
        }),
        parameters: [
          {
            name: column,
            in: "path",
            required: true,
            description: `${capital(name)} of the ${noun}`,
            schema,
          },
          ...includeParameter(resource),
          parameterRef("IfNoneMatch"),
        ],
        responses: {
          "200": {
            description: `The ${noun}`,
            headers: etagHeader,
            content: content(schemaRef(schemaNames(resource).record), exampleFor(record)),
          },
          "304": { description: "The caller already has the current version", headers: etagHeader },
          ...refusals([...always, 404]),
        },
      }),
    },
  };
}

function summaryOf({ resourceType, noun }: Resource, listed: Resource, by: string): string {
  const many = nounsOf(listed);
  const one = withArticle(noun);
  if (by === "owner_id" || by === "created_by") return `List the ${many} that ${one} created`;
  if (listed.resourceType === "group_members")
    return resourceType === "users" ? `List the group memberships of ${one}` : `List the members of ${one}`;
  return `List the ${many} of ${one}`;
}

export function nestedPaths(resource: Resource): Record<string, PathItem> {
  const { path, noun } = resource;
  return Object.fromEntries(
    nestedListsOf(resource).map(({ listed, by, name }) => {
      const many = nounsOf(listed);
      const parameters = listParameters(listed, by);
      const item: PathItem = {
        get: operation(listed, `${listed.resourceType}:read`, {
          operationId: `list${pascal(name)}Of${schemaNames(resource).record}`,
          summary: summaryOf(resource, listed, by.name),
          description: `Same as listing ${many} with this ID as \`${by.name}\`. The caller must be allowed to read the ${noun}.`,
          parameters: [idParameter(noun), ...parameters],
          responses: {
            "200": {
              description: `A page of ${many}`,
              content: content(listSchema(schemaNames(listed).record), {
                data: [listedExample(listed)],
                next_cursor: null,
                previous_cursor: null,
              }),
            },
            ...refusals([...always, 404, 414]),
          },
        }),
      };
      return [`/api/v1/${path}/{id}/${name}`, item];
    }),
  );
}
