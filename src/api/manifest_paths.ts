/** `postern apply` and `postern export` as OpenAPI 3.1 says them. */
import { resourceOf, resources } from "../admin/resources/resources.ts";
import {
  headerRef,
  type Json,
  type JsonSchema,
  type Operation,
  type PathItem,
  parameterRef,
} from "./operation.ts";
import { always, content, operation, refusals } from "./operation_parts.ts";

const sections = Object.fromEntries(
  resources
    .filter(({ manifest }) => manifest !== undefined)
    .map(({ resourceType }) => [resourceType, { type: "array", items: { type: "object" } }]),
);

const manifestSchema: JsonSchema = {
  type: "object",
  description:
    "Records by resource type, as a file for `postern apply` has them (docs/operations/config-as-code.md)",
  properties: sections,
};

const labels = (description: string): JsonSchema => ({
  type: "array",
  description,
  items: { type: "string" },
});

const resultSchema: JsonSchema = {
  type: "object",
  required: ["created", "updated", "unchanged", "secrets"],
  properties: {
    created: labels("Such as `app web-app`"),
    updated: labels("What was changed"),
    unchanged: labels("What was as the manifest says"),
    removed: labels("Only with prune"),
    differences: {
      type: "array",
      description: "Only in a dry run: what would change, field by field; secrets are never shown",
      items: {
        type: "object",
        required: ["change", "record", "fields", "hidden"],
        properties: {
          change: { type: "string", enum: ["create", "update", "remove"] },
          record: { type: "string" },
          fields: { type: "object" },
          hidden: { type: "array", items: { type: "string" } },
        },
      },
    },
    secrets: {
      type: "object",
      description:
        "Secrets that were made because the manifest gave none: they are shown here and nowhere else",
      additionalProperties: { type: "string" },
    },
  },
};

const ofServer = { tags: ["server"] } satisfies Pick<Operation, "tags">;
const example: Json = { organizations: [{ slug: "acme", name: "Acme" }] };

export const manifestPaths: Readonly<Record<string, PathItem>> = {
  "/api/v1/apply": {
    post: {
      ...operation(resourceOf("users"), "users:write", {
        operationId: "apply",
        summary: "Make the records match a manifest",
        description:
          "For platform administrators whose credential lets everything (postern:manage). Everything is written in one transaction, or nothing; a second run changes nothing. 422 names each fault by its place in the manifest, such as apps[2].redirect_uris[0]. A body has 1 MiB at most.",
        parameters: [parameterRef("IdempotencyKey")],
        requestBody: {
          required: true,
          content: content(
            {
              type: "object",
              required: ["manifest"],
              additionalProperties: false,
              properties: {
                manifest: manifestSchema,
                dry_run: { type: "boolean", description: "Answer what would change, and change nothing" },
                prune: {
                  type: "boolean",
                  description: "Delete what an earlier apply created and the manifest no longer has",
                },
              },
            },
            { manifest: example, dry_run: true },
          ),
        },
        responses: {
          "200": {
            description: "What was done, or would be",
            headers: { "Idempotency-Replayed": headerRef("IdempotencyReplayed") },
            content: content(resultSchema, {
              created: ["organization acme"],
              updated: [],
              unchanged: [],
              secrets: {},
            }),
          },
          ...refusals([...always, 409, 413, 415, 422]),
        },
      }),
      ...ofServer,
    },
  },
  "/api/v1/export": {
    get: {
      ...ofServer,
      operationId: "export",
      summary: "Read the records as a manifest",
      description:
        "For platform administrators whose credential reads everything (postern:read). Nothing secret is part of it.",
      responses: {
        "200": { description: "The manifest", content: content(manifestSchema, example) },
        ...refusals(always),
      },
    },
  },
};
