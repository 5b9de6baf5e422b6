/** OpenAPI 3.1 operations of the token preview. */
import { resourceOf } from "../admin/resources/resources.ts";
import { claimSurfaces } from "../records/names/names.ts";
import { absences, claimSources, tokenRefusals } from "../records/names/token_preview.ts";
import { type JsonSchema, type PathItem, parameterRef } from "./operation.ts";
import { always, content, operation, refusals } from "./operation_parts.ts";
import { previewParameters } from "./preview_routes.ts";

const text: JsonSchema = { type: "string" };
const texts: JsonSchema = { type: "array", items: text };

const claimSchema: JsonSchema = {
  type: "object",
  required: ["claim", "source"],
  properties: {
    claim: { ...text, description: "The name of the claim" },
    source: { type: "string", enum: [...claimSources], description: "Where the claim comes from" },
    scopes: { ...texts, description: "The scopes that release the claim; one of them is enough" },
    value: { description: "The value, unless `absent` or `set_at_issue` is set" },
    absent: { type: "string", enum: [...absences], description: "Why the claim is absent" },
    set_at_issue: { const: true, description: "The time of issue or the sign-in decides the value" },
  },
};

const previewSchema: JsonSchema = {
  type: "object",
  required: ["scopes", "refused_scopes", "audience", "claims"],
  properties: {
    scopes: { ...texts, description: "Scopes of the tokens" },
    refused_scopes: { ...texts, description: "Requested scopes that the tokens would lack" },
    audience: texts,
    not_issued: {
      type: "string",
      enum: [...tokenRefusals],
      description: "Why the request would get no token; present only then, and `claims` are empty",
    },
    organizations: {
      ...texts,
      description: "With `organization_not_chosen`, slugs of those that the user chooses from",
    },
    claims: {
      type: "object",
      required: [...claimSurfaces],
      properties: Object.fromEntries(
        claimSurfaces.map((surface) => [surface, { type: "array", items: claimSchema }]),
      ),
    },
  },
};

const meanings: Readonly<Record<(typeof previewParameters)[number], string>> = {
  user: "ID or email address of the user; if absent, the token is one that the app requests for itself",
  organization: "ID or slug of the organization that the tokens are for",
  scope: "Requested scopes, separated by spaces; all that the app may request if absent",
  resource: "Identifiers of requested APIs, separated by spaces",
};

export const previewPaths: Readonly<Record<string, PathItem>> = {
  "/api/v1/apps/{id}/token-preview": {
    get: operation(resourceOf("apps"), "apps:read", {
      operationId: "previewTokens",
      summary: "Preview the claims of tokens",
      description:
        "Returns the claims that tokens of the app would have now, each with its source, and why others are absent. Consent is taken as given, and nothing is issued. Also requires the permissions to read the user and the membership; attributes that the caller may not read are left out.",
      parameters: [
        parameterRef("Id"),
        ...previewParameters.map((name) => ({
          name,
          in: "query" as const,
          description: meanings[name],
          schema: text,
        })),
      ],
      responses: {
        "200": {
          description: "The claims by surface",
          content: content(previewSchema, {
            scopes: ["openid", "profile"],
            refused_scopes: [],
            audience: ["https://id.example"],
            claims: {
              id_token: [
                { claim: "given_name", source: "attribute", scopes: ["profile"], value: "Ada" },
                { claim: "roles", source: "membership", scopes: ["roles"], absent: "scope_not_allowed" },
              ],
              userinfo: [],
              access_token: [],
              introspection: [],
            },
          }),
        },
        ...refusals([...always, 400, 404, 414]),
      },
    }),
  },
};
