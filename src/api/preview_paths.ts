import { resourceOf } from "../admin/resources/resources.ts";
import { claimSurfaces } from "../records/names/names.ts";
import { absences, claimSources, tokenRefusals } from "../records/names/token_preview.ts";
import type { JsonSchema, PathItem } from "./operation.ts";
import { always, content, idParameter, operation, refusals } from "./operation_parts.ts";
import { previewParameters } from "./preview_routes.ts";

const text: JsonSchema = { type: "string" };
const texts: JsonSchema = { type: "array", items: text };

const claimSchema: JsonSchema = {
  type: "object",
  required: ["claim", "source"],
  properties: {
    claim: { ...text, description: "Name of the claim" },
    source: { type: "string", enum: [...claimSources], description: "Where the claim comes from" },
    scopes: { ...texts, description: "The scopes that release the claim; one of them is enough" },
    value: { description: "Value of the claim; absent if `absent` or `set_at_issue` is present" },
    absent: { type: "string", enum: [...absences], description: "Why the claim is absent" },
    set_at_issue: {
      const: true,
      description: "Present if the value is known only when a token is issued",
    },
  },
};

const previewSchema: JsonSchema = {
  type: "object",
  required: ["scopes", "refused_scopes", "audience", "claims"],
  properties: {
    scopes: { ...texts, description: "Scopes of the tokens" },
    refused_scopes: { ...texts, description: "Requested scopes that would not be granted" },
    audience: texts,
    not_issued: {
      type: "string",
      enum: [...tokenRefusals],
      description: "Why no token would be issued; absent if tokens would be issued",
    },
    organizations: {
      ...texts,
      description:
        "Slugs of the organizations that the user can choose; only if `not_issued` is `organization_not_chosen`",
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
  user: "ID or email address of the user. Default: none, so the app requests the token for itself",
  organization:
    "ID or slug of the organization that the tokens are for. Default: if `organization_mode` is `auto` or `required`, the user's only one; otherwise none",
  scope: "Requested scopes, separated by spaces. Default: all that the app may request",
  resource: "Identifiers or IDs of the requested APIs, separated by spaces. Default: none",
};

export const previewPaths: Readonly<Record<string, PathItem>> = {
  "/api/v1/apps/{id}/token-preview": {
    get: operation(resourceOf("apps"), "apps:read", {
      operationId: "previewTokens",
      summary: "Preview the claims of tokens",
      description:
        "Returns the claims that tokens of the app would contain now, and the reasons why other claims are absent. Issues no token, and assumes that the user consents. The caller must also be allowed to read the user, the membership and the organization. Attributes that the caller may not read are omitted.",
      parameters: [
        idParameter("app"),
        ...previewParameters.map((name) => ({
          name,
          in: "query" as const,
          description: meanings[name],
          schema: text,
        })),
      ],
      responses: {
        "200": {
          description: "The claims of the ID token, UserInfo, the access token and introspection",
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
