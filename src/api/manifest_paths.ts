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
    created: labels("Created records, each as in `app web-app`"),
    updated: labels("Changed records"),
    unchanged: labels("Records that already match the manifest"),
    removed: labels("Deleted records; absent unless `prune` is true"),
    kept: labels(
      "Records of an earlier import that differ from the manifest but were not changed; absent without `source`",
    ),
    differences: {
      type: "array",
      description: "Each change with its fields; absent unless `dry_run` is true",
      items: {
        type: "object",
        required: ["change", "record", "fields", "hidden"],
        properties: {
          change: { type: "string", enum: ["create", "update", "remove"] },
          record: { type: "string" },
          fields: { type: "object" },
          hidden: {
            type: "array",
            description: "Names of changed fields whose values are secret; `fields` does not contain them",
            items: { type: "string" },
          },
        },
      },
    },
    secrets: {
      type: "object",
      description: "Secrets that were generated for new records; no later response contains them",
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
          "Writes all changes in one transaction, or none. Applying the same manifest again changes nothing. Only platform administrators may apply a manifest. A token or API key also needs the scope `postern:manage`. The body is limited to 1 MiB.",
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
                dry_run: {
                  type: "boolean",
                  description: "Whether to return the changes without making them. Default: false",
                },
                prune: {
                  type: "boolean",
                  description:
                    "Whether to delete records that an earlier apply request created and that are no longer in the manifest. Default: false",
                },
                source: {
                  type: "string",
                  description:
                    "Name of the system from which the records are imported. The request then only creates records. It leaves records of an earlier import with this `source` unchanged, and fails if other records of the manifest exist. Default: none, so the request also changes records",
                },
              },
            },
            { manifest: example, dry_run: true },
          ),
        },
        responses: {
          "200": {
            description: "The changes, which were made unless `dry_run` is true",
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
