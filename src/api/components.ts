import { answerStoredHours } from "../admin/manage/idempotency.ts";
import { impactLimit } from "../admin/reports/impact.ts";
import { fieldErrorCodes } from "../errors/field_errors.ts";
import { statusOfProblem } from "../errors.ts";
import { problemCodes, problemDocument, problemKinds, problemType } from "../http/problems.ts";
import { listDirections } from "../records/definition/list_orders.ts";
import { permissions } from "../records/definition/permissions.ts";
import { impactKinds } from "../web/impact_lines.ts";
import { headerRef, type Json, type JsonSchema, type Parameter, schemaRef } from "./operation.ts";

export const callerSchema: JsonSchema = {
  type: "object",
  description: "The caller and its permissions",
  required: ["actor", "scopes", "is_platform_admin", "permissions", "organizations"],
  properties: {
    actor: {
      type: "object",
      required: ["kind", "id", "name"],
      properties: {
        kind: { enum: ["user", "organization", "service_account", "client"] },
        id: { type: "string", format: "uuid" },
        name: { type: "string" },
      },
    },
    scopes: {
      type: ["array", "null"],
      items: { type: "string" },
      description: "Scopes of the credential; null for a browser session, which has none",
    },
    is_platform_admin: {
      type: "boolean",
      description: "Whether the caller is a platform administrator, whose permissions apply to every record",
    },
    permissions: {
      type: "array",
      items: { enum: permissions },
      description:
        "Permissions for every record if `is_platform_admin` is true, otherwise for the caller's own records",
    },
    organizations: {
      type: "array",
      description: "The organizations in which the caller has permissions",
      items: {
        type: "object",
        required: ["id", "slug", "name", "role", "permissions"],
        properties: {
          id: { type: "string", format: "uuid" },
          slug: { type: "string" },
          name: { type: "string" },
          role: { type: "string" },
          permissions: { type: "array", items: { enum: permissions } },
        },
      },
    },
  },
};

export const parameters: Readonly<Record<string, Parameter>> = {
  Id: {
    name: "id",
    in: "path",
    required: true,
    description: "The record's ID",
    schema: { type: "string", format: "uuid" },
  },
  Limit: {
    name: "limit",
    in: "query",
    description: "Maximum number of records per page",
    schema: { type: "integer", minimum: 1, maximum: 200, default: 50 },
  },
  Cursor: {
    name: "cursor",
    in: "query",
    description:
      "The next_cursor or previous_cursor of an earlier page with the same caller, filters and order",
    schema: { type: "string", minLength: 1 },
  },
  Order: {
    name: "order",
    in: "query",
    description: "The sort direction; ascending by default if `sort` is set",
    schema: { type: "string", enum: [...listDirections] },
  },
  Total: {
    name: "total",
    in: "query",
    description: "Whether to return the number of matching records (`total`, `total_is_more`)",
    schema: { type: "boolean" },
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description:
      "The ETag of the version that the caller has read. The response is 412 if the record has changed since",
    schema: { type: "string", minLength: 1 },
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description:
      "The ETag of the version that the caller has read; the response is 304 if it is still current",
    schema: { type: "string", minLength: 1 },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description: `A value that the caller chooses for this request. Repeating the request with the same key within ${answerStoredHours} hours returns the first response and changes nothing`,
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7E]+$" },
  },
};

const text = (description: string) => ({ description, schema: { type: "string" } });

export const headers: Json = {
  ETag: text("The version of the record, for If-Match and If-None-Match"),
  Location: text("The path of the new record"),
  IdempotencyReplayed: text("true if this is the response to an earlier request with the same key"),
  RetryAfter: {
    description: "Number of seconds to wait before the next attempt",
    schema: { type: "integer" },
  },
  RateLimit: text(
    "Number of requests that the credential has left, and seconds until its full limit is available again",
  ),
  RateLimitPolicy: text(
    "Number of requests per minute that the credential may send; absent if the server sets no limit",
  ),
  WwwAuthenticate: text("A Bearer challenge that names the error (RFC 6750, section 3)"),
};

function paramsOfCodes(): string {
  const withParams = Object.entries(fieldErrorCodes).filter(([, params]) => Object.keys(params).length > 0);
  return withParams.map(([code, params]) => `\`${code}\`: ${Object.keys(params).join(", ")}`).join("; ");
}

export const problemSchema: JsonSchema = {
  type: "object",
  description: "An error (RFC 9457)",
  required: ["type", "title", "status", "detail", "code", "request_id"],
  properties: {
    type: {
      type: "string",
      format: "uri-reference",
      description:
        "URI that explains the code: /api/docs# followed by the code, relative to the request URI (RFC 3986, section 5.1.3). Programs should compare `code` instead",
    },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string", description: "Human-readable explanation of this error" },
    code: { type: "string", enum: problemCodes, description: "Machine-readable error code" },
    request_id: { type: "string", description: "ID of the request in the server's log" },
    errors: {
      type: "array",
      description: "Every invalid field or parameter",
      items: {
        type: "object",
        required: ["path", "message", "code", "params"],
        properties: {
          path: {
            type: "string",
            format: "json-pointer",
            description: "JSON Pointer to the invalid field or parameter (RFC 6901)",
          },
          message: { type: "string", description: "Human-readable message in English" },
          code: {
            type: "string",
            enum: Object.keys(fieldErrorCodes),
            description: "Machine-readable code; new codes may be added",
          },
          params: {
            type: "object",
            description: `Values that the message contains. Their names depend on the code. ${paramsOfCodes()}`,
            additionalProperties: {
              oneOf: [{ type: "string" }, { type: "number" }, { type: "array", items: { type: "string" } }],
            },
          },
        },
      },
    },
  },
};

export function refusalResponses(): Json {
  const statuses = new Set<number>(problemCodes.map((code) => statusOfProblem[code]));
  // No operation returns 405, the response to unknown methods.
  statuses.delete(405);
  return Object.fromEntries(
    [...statuses].map((status) => {
      const own = problemCodes.filter((code) => statusOfProblem[code] === status);
      const examples = own.map((code) => {
        const { title, meaning } = problemKinds[code];
        const value = problemDocument({ status, code, detail: meaning, request_id: "019a9f6e.1" });
        return [code, { summary: title, value }] as const;
      });
      const waits = status === 409 || status === 429 || status === 503;
      return [
        `Refusal${status}`,
        {
          description: own.map((code) => `\`${code}\`: ${problemKinds[code].title}`).join("; "),
          ...(status === 401 && { headers: { "WWW-Authenticate": headerRef("WwwAuthenticate") } }),
          ...(waits && {
            headers: {
              "Retry-After": headerRef("RetryAfter"),
              ...(status === 429 && {
                RateLimit: headerRef("RateLimit"),
                "RateLimit-Policy": headerRef("RateLimitPolicy"),
              }),
            },
          }),
          content: {
            [problemType]: { schema: schemaRef("Problem"), examples: Object.fromEntries(examples) },
          },
        },
      ];
    }),
  );
}

export const impactSchema: JsonSchema = {
  type: "object",
  description: `Number of records of each kind that would be deleted or revoked with this one; ${impactLimit} means ${impactLimit} or more. \`people\` are those who would lose access, \`holders\` those who would lose the role`,
  properties: Object.fromEntries(
    impactKinds.map((kind) => [kind, { type: "integer", minimum: 1, maximum: impactLimit }]),
  ),
  additionalProperties: false,
};
