import { type Resource, resources } from "../admin/resources/resources.ts";
import { resourceTypeWords } from "../web/words/en/resource_types.ts";
import {
  callerSchema,
  headers,
  impactSchema,
  parameters,
  problemSchema,
  refusalResponses,
} from "./components.ts";
import { eventWebhooks } from "./event_schemas.ts";
import { pluralOf, schemaNames, schemaNamesOfNoun } from "./names.ts";
import { type Json, type JsonSchema, type Parameter, type PathItem, schemaRef } from "./operation.ts";
import { apiPaths } from "./paths.ts";
import { changeSchema, createdSchema, newRecordSchema, pendingSchema, recordSchema } from "./schemas.ts";
import { signInMethodsSchema } from "./sign_in_methods_schema.ts";

export interface OpenApiDocument {
  readonly openapi: "3.1.1";
  readonly info: Json & { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly Json[];
  readonly security: readonly Json[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks: Readonly<Record<string, Json>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Json;
    readonly responses: Json;
    readonly securitySchemes: Json;
  };
}

function schemasOf(resource: Resource): [string, JsonSchema][] {
  const names = schemaNames(resource);
  const { create, update, output, asks } = resource;
  const record = recordSchema(resource);
  const schemas: [string, unknown][] = [
    [names.record, record],
    ...(create === undefined ? [] : [[names.fresh, newRecordSchema(resource)] as [string, unknown]]),
    ...(create === undefined || output === undefined
      ? []
      : [[names.created, createdSchema(resource, { ...schemaRef(names.record) })] as [string, unknown]]),
    ...(asks === undefined
      ? []
      : [[schemaNamesOfNoun(asks.noun).record, pendingSchema(asks)] as [string, unknown]]),
    ...(update === undefined ? [] : [[names.change, changeSchema(resource)] as [string, unknown]]),
  ];
  return schemas as [string, JsonSchema][];
}

/** Returns the OpenAPI document. */
export function openApiDocument({
  issuer,
  session_cookie,
  version = "0.0.0",
}: {
  readonly issuer: string;
  readonly session_cookie: string;
  readonly version?: string | undefined;
}): OpenApiDocument {
  return {
    openapi: "3.1.1",
    info: {
      title: "Postern management API",
      version,
      summary: "Manage every record of the server",
      description:
        "Manage users, organizations, apps and everything that belongs to them. Secrets appear once, in the response that creates them; other sensitive fields never appear. The version of this document is the version of the server. Within /api/v1, fields, parameters, operations and codes are added but never removed; the changelog lists each change.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: issuer }],
    security: [{ bearer: [] }, { session: [] }],
    tags: [
      { name: "caller", description: "The caller and its permissions" },
      { name: "server", description: "Settings and statistics of the server" },
      ...resources.map((resource) => ({ name: pluralOf(resource), description: meaningOf(resource) })),
    ],
    paths: apiPaths(),
    webhooks: eventWebhooks(),
    components: {
      schemas: {
        Problem: problemSchema,
        Caller: callerSchema,
        SignInMethods: { ...signInMethodsSchema },
        Impact: impactSchema,
        ...Object.fromEntries(resources.flatMap(schemasOf)),
      },
      parameters,
      headers,
      responses: refusalResponses(),
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description:
            "An API key (pak_…), or an access token of this server whose `aud` contains the issuer. Each operation names the scope that it needs",
        },
        session: {
          type: "apiKey",
          in: "cookie",
          name: session_cookie,
          description:
            "The session cookie of a signed-in browser. A request that changes something must come from a page of this server, according to Sec-Fetch-Site or Origin",
        },
      },
    },
  };
}

function meaningOf({ resourceType }: Resource): string {
  return resourceTypeWords[resourceType].lead.replace(/\.$/, "");
}
