import { resourceOf } from "../admin/resources/resources.ts";
import { longestInspected } from "./introspection_routes.ts";
import type { JsonSchema, PathItem } from "./operation.ts";
import { always, content, operation, refusals } from "./operation_parts.ts";

const text: JsonSchema = { type: "string" };
const seconds: JsonSchema = { type: "integer", description: "Unix time in seconds" };

const reportSchema: JsonSchema = {
  type: "object",
  required: ["active"],
  properties: {
    active: { type: "boolean" },
    reason: { ...text, description: "Why the token is not active" },
    token_type: { type: "string", enum: ["Bearer", "refresh_token", "api_key"] },
    scope: text,
    client_id: text,
    username: text,
    exp: seconds,
    iat: seconds,
    sub: text,
    aud: { type: "array", items: text },
    jti: { ...text, description: "ID of the token's record" },
    family_id: text,
  },
};

export const introspectionPaths: Readonly<Record<string, PathItem>> = {
  "/api/v1/introspect": {
    post: operation(resourceOf("tokens"), "tokens:read", {
      operationId: "introspect",
      summary: "Inspect a token",
      description:
        "Returns the state of an access token, refresh token or API key, and the reason if it is not active. A token or API key that the caller may not read is reported as unknown. To inspect an API key, the caller also needs the permission `api_keys:read`.",
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
                description: "The complete token",
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
