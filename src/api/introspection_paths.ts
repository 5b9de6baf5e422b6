import { resourceOf } from "../admin/resources/resources.ts";
import { longestInspected } from "./introspection_routes.ts";
import type { JsonSchema, PathItem } from "./operation.ts";
import { always, content, operation, refusals } from "./operation_parts.ts";

const text: JsonSchema = { type: "string" };
const seconds: JsonSchema = { type: "integer", description: "Seconds since 1970" };

const reportSchema: JsonSchema = {
  type: "object",
  required: ["active"],
  properties: {
    active: { type: "boolean" },
    reason: { ...text, description: "Why the token is not active; absent if it is active" },
    token_type: { type: "string", enum: ["Bearer", "refresh_token", "api_key"] },
    scope: text,
    client_id: text,
    username: text,
    exp: seconds,
    iat: seconds,
    sub: text,
    aud: { type: "array", items: text },
    jti: { ...text, description: "ID of the record of the token or API key" },
    family_id: { ...text, description: "ID that all tokens of one authorization share" },
  },
};

export const introspectionPaths: Readonly<Record<string, PathItem>> = {
  "/api/v1/introspect": {
    post: operation(resourceOf("tokens"), "tokens:read", {
      operationId: "introspect",
      summary: "Inspect a token",
      description:
        "Returns the state of an access token, refresh token or API key. If the caller may not read it, the response is the same as for an unknown token. For an API key, the caller also needs the permission `api_keys:read`.",
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
                description: "The complete access token, refresh token or API key",
              },
            },
          },
          { token: "eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl" },
        ),
      },
      responses: {
        "200": {
          description: "The state of the token",
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
