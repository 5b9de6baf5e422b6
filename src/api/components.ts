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
      description: "Scopes of the token or API key; null for a browser session",
    },
    is_platform_admin: {
      type: "boolean",
      description: "Whether the caller is a platform administrator",
    },
    permissions: {
      type: "array",
      items: { enum: permissions },
      description:
        "Permissions for the caller's own records or, if `is_platform_admin` is true, for every record",
    },
    organizations: {
      type: "array",
      description: "Organizations of the caller, with its permissions in each",
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
      "The next_cursor or previous_cursor of a page that the caller got with the same filters and order",
    schema: { type: "string", minLength: 1 },
  },
  Order: {
    name: "order",
    in: "query",
    description: "Sort direction. Default: asc with `sort`, otherwise as described for the operation",
    schema: { type: "string", enum: [...listDirections] },
  },
  Total: {
    name: "total",
    in: "query",
    description: "Whether to return `total` and `total_is_more`. Default: false",
    schema: { type: "boolean" },
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description:
      "ETag of the version that the caller has read. If the record has changed since, the response is 412",
    schema: { type: "string", minLength: 1 },
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description:
      "ETag of the version that the caller has read. If it is still current, the response is 304, except with `include`",
    schema: { type: "string", minLength: 1 },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description: `Value that the caller chooses. For ${answerStoredHours} hours after a success, the same request with this value returns the same response and changes nothing`,
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7E]+$" },
  },
};

const text = (description: string) => ({ description, schema: { type: "string" } });

export const headers: Json = {
  ETag: text("Version of the record, for If-Match and If-None-Match"),
  Location: text("Path of the new record"),
  IdempotencyReplayed: text(
    "true if the response is that to an earlier request with the same Idempotency-Key",
  ),
  RetryAfter: {
    description: "Number of seconds to wait before the next attempt",
    schema: { type: "integer" },
  },
  RateLimit: text(
    'Such as `"credential";r=599;t=42`: `r` requests are left, and all are available again in `t` seconds',
  ),
  RateLimitPolicy: text(
    'Such as `"credential";q=600;w=60`: at most `q` requests in `w` seconds. Absent if the server sets no limit',
  ),
  WwwAuthenticate: text(
    "Challenges for Bearer and DPoP tokens, with the error if the request contained a credential (RFC 6750, section 3)",
  ),
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
        "Link to the documentation of `code`, relative to the request URI. Programs should compare `code` instead",
    },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string", description: "Explanation of this error for people" },
    code: { type: "string", enum: problemCodes, description: "Error code for programs" },
    request_id: { type: "string", description: "ID of the request in the server's log" },
    errors: {
      type: "array",
      description: "All invalid fields or parameters",
      items: {
        type: "object",
        required: ["path", "message", "code", "params"],
        properties: {
          path: {
            type: "string",
            description:
              "JSON Pointer (RFC 6901) to the field or parameter; in a manifest, a path such as `apps[2].redirect_uris[0]`",
          },
          message: { type: "string", description: "Message for people, in English" },
          code: {
            type: "string",
            enum: Object.keys(fieldErrorCodes),
            description: "Code for programs; new codes may be added",
          },
          params: {
            type: "object",
            description: `Values in the message, by name. The names of each code: ${paramsOfCodes()}`,
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
  // No operation returns 405; the server sends it only for methods that a path does not have.
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

const impactMeanings: Readonly<Partial<Record<(typeof impactKinds)[number], string>>> = {
  people: "Users who would lose access",
  holders: "Members who would lose the role",
  groups: "Groups that would no longer grant the role",
  left_groups: "Groups that the member would leave",
};

export const impactSchema: JsonSchema = {
  type: "object",
  description: `Number of affected records of each kind; ${impactLimit} means ${impactLimit} or more`,
  properties: Object.fromEntries(
    impactKinds.map((kind) => [
      kind,
      {
        type: "integer",
        minimum: 1,
        maximum: impactLimit,
        ...(Object.hasOwn(impactMeanings, kind) && { description: impactMeanings[kind] }),
      },
    ]),
  ),
  additionalProperties: false,
};
