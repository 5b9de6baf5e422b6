/** The introspection of tokens by management, as OpenAPI 3.1 says it. */
import { resourceOf } from "../admin/resources/resources.ts";
import { longestInspected } from "./introspection_routes.ts";
import type { JsonSchema, PathItem } from "./operation.ts";
import { always, content, operation, refusals } from "./operation_parts.ts";

const text: JsonSchema = { type: "string" };
const seconds: JsonSchema = { type: "integer", description: "Unix time, seconds" };

const reportSchema: JsonSchema = {
  type: "object",
  required: ["active"],
  properties: {
    active: { type: "boolean" },
    reason: { ...text, description: "Why it is not active" },
    token_type: { type: "string", enum: ["Bearer", "refresh_token", "api_key"] },
    scope: text,
    client_id: text,
    username: text,
    exp: seconds,
    iat: seconds,
    sub: text,
    aud: { type: "array", items: text },
    jti: { ...text, description: "The id of its record" },
    family_id: text,
  },
};

export const introspectionPaths: Readonly<Record<string, PathItem>> = {
  "/api/v1/introspect": {
    post: operation(resourceOf("tokens"), "tokens:read", {
      operationId: "introspect",
      summary: "Say what a token is",
      description:
        "The state of an access token, a refresh token or an API key, and why it is not active. What the caller may not read (tokens:read, for API keys api_keys:read) is answered as unknown.",
      requestBody: {
        required: true,
        content: content(
          {
            type: "object",
            required: ["token"],
            additionalProperties: false,
            properties: {
              token: {
                type: "string",
                minLength: 1,
                maxLength: longestInspected,
                description: "Its whole text",
              },
            },
          },
          { token: "eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl" },
        ),
      },
      responses: {
        "200": {
          description: "What it is",
          content: content(reportSchema, {
            active: false,
            reason: "it was revoked (logout)",
            token_type: "Bearer",
            scope: "openid",
            client_id: "web-app",
          }),
        },
        ...refusals([...always, 413, 415, 422]),
      },
    }),
  },
};
