/** What several operations of the OpenAPI document share: parameters, headers, refusals. */

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
    is_platform_admin: { type: "boolean", description: "The permissions hold for every record there is" },
    permissions: {
      type: "array",
      items: { enum: permissions },
      description: "Held for every record by a platform administrator, and else for what is the caller's own",
    },
    organizations: {
      type: "array",
      description: "The organizations in which the caller may do something",
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
    description: "The record's id",
    schema: { type: "string", format: "uuid" },
  },
  Limit: {
    name: "limit",
    in: "query",
    description: "How many records a page holds at most",
    schema: { type: "integer", minimum: 1, maximum: 200, default: 50 },
  },
  Cursor: {
    name: "cursor",
    in: "query",
    description:
      "The next_cursor or previous_cursor of a page that the same caller got with the same filters in the same order",
    schema: { type: "string", minLength: 1 },
  },
  Order: {
    name: "order",
    in: "query",
    description: "The direction of the list; a list that is put in order by a column begins with the least",
    schema: { type: "string", enum: [...listDirections] },
  },
  Total: {
    name: "total",
    in: "query",
    description: "Whether the answer says how many records fit (`total`, `total_is_more`)",
    schema: { type: "boolean" },
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description:
      "Carry it out only on this state of the record: the ETag that was read with it. What names no state, and so fits none, is answered 412",
    schema: { type: "string", minLength: 1 },
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "The ETag of the state that the caller has",
    schema: { type: "string", minLength: 1 },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description: `A word of the caller's own for this request. Sent again within ${answerStoredHours} hours it gets the first answer, and nothing is done twice`,
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7E]+$" },
  },
};

const text = (description: string) => ({ description, schema: { type: "string" } });

export const headers: Json = {
  ETag: text("The state of the record, for If-Match and If-None-Match"),
  Location: text("The path of the new record"),
  IdempotencyReplayed: text("true when this is the answer of an earlier request with the same key"),
  RetryAfter: { description: "Seconds to wait", schema: { type: "integer" } },
  RateLimit: text("How many requests are left to the credential, and seconds until all are there again"),
  RateLimitPolicy: text(
    "How many requests a minute the credential may send; absent where nothing is limited",
  ),
  WwwAuthenticate: text("Bearer, and what was wrong with the credential (RFC 6750 3)"),
};

/** "`too_long` characters, `not_one_of` values". */
function paramsOfCodes(): string {
  const withParams = Object.entries(fieldErrorCodes).filter(([, params]) => Object.keys(params).length > 0);
  return withParams.map(([code, params]) => `\`${code}\` ${Object.keys(params).join(" and ")}`).join(", ");
}

export const problemSchema: JsonSchema = {
  type: "object",
  description: "A refusal (RFC 9457)",
  required: ["type", "title", "status", "detail", "code", "request_id"],
  properties: {
    type: {
      type: "string",
      format: "uri-reference",
      description:
        "The address that explains the code: a reference relative to the address of the request (RFC 3986 5.1.3), so /api/docs# and the code on this server. Compare code instead",
    },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string", description: "What was wrong with this request, for people" },
    code: { type: "string", enum: problemCodes, description: "What went wrong, for programs" },
    request_id: { type: "string", description: "Under which the server logs it" },
    errors: {
      type: "array",
      description: "Every faulty member or parameter",
      items: {
        type: "object",
        required: ["path", "message", "code", "params"],
        properties: {
          path: { type: "string", format: "json-pointer", description: "RFC 6901" },
          message: { type: "string", description: "What is wrong, in English, for people" },
          code: {
            type: "string",
            enum: Object.keys(fieldErrorCodes),
            description: "What is wrong, for programs; there may be more of them one day",
          },
          params: {
            type: "object",
            description: `What is put into the sentence, by code: ${paramsOfCodes()}`,
            additionalProperties: {
              oneOf: [{ type: "string" }, { type: "number" }, { type: "array", items: { type: "string" } }],
            },
          },
        },
      },
    },
  },
};

/** A response for each status that a code of the table has. */
export function refusalResponses(): Json {
  const statuses = new Set<number>(problemCodes.map((code) => statusOfProblem[code]));
  // No operation answers it: it is the answer to methods that are none.
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

/** What else ends with a record (`admin/reports/impact.ts`). */
export const impactSchema: JsonSchema = {
  type: "object",
  description: `How many of each kind would end with the record; ${impactLimit} stands for as many and more`,
  properties: Object.fromEntries(
    impactKinds.map((kind) => [kind, { type: "integer", minimum: 1, maximum: impactLimit }]),
  ),
  additionalProperties: false,
};
