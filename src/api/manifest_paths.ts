import { resources } from "../admin/resources/resources.ts";
import { manageScope } from "../records/definition/permissions.ts";
import {
  headerRef,
  type Json,
  type JsonSchema,
  type Operation,
  type PathItem,
  parameterRef,
} from "./operation.ts";
import { always, content, operationOf, refusals } from "./operation_parts.ts";

const sections = Object.fromEntries(
  resources
    .filter(({ manifest }) => manifest !== undefined)
    .map(({ resourceType }) => [resourceType, { type: "array", items: { type: "object" } }]),
);

const manifestSchema: JsonSchema = {
  type: "object",
  description: "Records by resource type, in the format that `postern export` writes",
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
    created: labels("Created records, such as `app web-app`"),
    updated: labels("Changed records"),
    unchanged: labels("Records that already matched the manifest"),
    removed: labels("Deleted records; only if `prune` is true"),
    kept: labels(
      "Records of an earlier import that differ from the manifest and were not changed; only if the request has `source`",
    ),
    differences: {
      type: "array",
      description: "Changes by field; only in a dry run. Secrets are never shown",
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
        "Secrets that were generated because the manifest had none; no later response contains them",
      additionalProperties: { type: "string" },
    },
  },
};

const ofServer = { tags: ["server"] } satisfies Pick<Operation, "tags">;
const example: Json = { organizations: [{ slug: "acme", name: "Acme" }] };

export const manifestPaths: Readonly<Record<string, PathItem>> = {
  "/api/v1/apply": {
    post: {
      ...operationOf(["server"], [manageScope], {
        operationId: "apply",
        summary: "Make the records match a manifest",
        description:
          "Only platform administrators may apply a manifest. A token or API key also needs the scope `postern:manage`. Writes all changes in one transaction, or none. Applying the same manifest again changes nothing. A 422 response names each error by its path in the manifest, such as apps[2].redirect_uris[0]. The body is limited to 1 MiB.",
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
                dry_run: { type: "boolean", description: "Return the changes without making them" },
                prune: {
                  type: "boolean",
                  description:
                    "Whether to delete records that an earlier apply request created and that are not in the manifest",
                },
                source: {
                  type: "string",
                  description:
                    "Name of the system from which the records are imported. If set, the request only creates records. Records that an earlier import with the same `source` created stay unchanged; any other existing record in the manifest is an error",
                },
              },
            },
            { manifest: example, dry_run: true },
          ),
        },
        responses: {
          "200": {
            description: "The changes that were made, or that would be made if `dry_run` is true",
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
    },
  },
  "/api/v1/export": {
    get: {
      ...ofServer,
      operationId: "export",
      summary: "Export the records as a manifest",
      description:
        "Only platform administrators may export a manifest. A token or API key also needs the scope `postern:read`. The manifest contains no secrets.",
      responses: {
        "200": { description: "The manifest", content: content(manifestSchema, example) },
        ...refusals(always),
      },
    },
  },
};
