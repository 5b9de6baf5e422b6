import { sourceShape } from "../admin/imports/may_import.ts";
import { importScope, manageScope } from "../records/definition/permissions.ts";
import { providerPresets } from "../records/names/names.ts";
import { mostImportBytes, mostImported } from "./import_routes.ts";
import { headerRef, type JsonSchema, type PathItem, parameterRef } from "./operation.ts";
import { always, content, operationOf, refusals } from "./operation_parts.ts";

const text = (description: string, more: JsonSchema = {}): JsonSchema => ({
  type: "string",
  description,
  ...more,
});
const time = (description: string): JsonSchema => text(description, { format: "date-time" });
const list = (description: string, properties: JsonSchema): JsonSchema => ({
  type: "array",
  description,
  items: { type: "object", properties },
});
const errors = list("", {
  path: { type: "string" },
  code: { type: "string" },
  message: { type: "string" },
  params: { type: "object" },
});

const person: JsonSchema = {
  type: "object",
  required: ["email"],
  additionalProperties: false,
  properties: {
    external_id: text("Unique identifier in the other system; required unless `id` is set"),
    id: text("ID of the user on this server; generated if absent", { format: "uuid" }),
    email: text("Email address", { format: "email", maxLength: 320 }),
    email_verified_at: time("When the email address was verified; absent if it is not verified"),
    name: text("Display name. Default: the email address", { maxLength: 255 }),
    avatar_url: text("URL of the profile picture", { format: "uri", maxLength: 2048 }),
    active: { type: "boolean", description: "Whether the user may sign in. Default: true" },
    is_platform_admin: {
      type: "boolean",
      description:
        "Whether the user is a platform administrator of the other server; the import appoints no administrators",
    },
    created_at: time("When the account was created. Default: the time of the import"),
    password: {
      type: "object",
      description: "Password as a hash, in one of these fields",
      properties: {
        hash: text("Hash in a format of another system (docs/moving-in.md)"),
        argon2id: text("Argon2id hash in PHC format"),
      },
    },
    webauthn_user_handle: text("WebAuthn user handle of the passkeys, 32 bytes in base64url"),
    totp: list("Authenticator apps", {
      otpauth: text("otpauth://totp/ URI; only SHA-1, 6 digits and a period of 30 seconds are supported"),
      name: text("Name of the authenticator app"),
    }),
    passkeys: list("Passkeys and security keys registered for this server's host", {
      credential_id: text("Credential ID in base64url"),
      public_key: text("Public key in COSE format, in base64url"),
      counter: { type: "integer", minimum: 0 },
      rp_id: text("Host that the passkey was registered for"),
      name: text("Name of the passkey"),
      transports: { type: "array", items: { type: "string" } },
      aaguid: text("Model of the authenticator", { format: "uuid" }),
      backup_eligible: { type: "boolean" },
      backed_up: { type: "boolean" },
      user_verified: { type: "boolean" },
      discoverable: { type: "boolean", description: "Whether the passkey can sign in without a password" },
    }),
    linked_accounts: list("Accounts at external providers", {
      provider: text("Slug of the provider on this server; required unless `preset` is set"),
      preset: {
        type: "string",
        enum: providerPresets,
        description:
          "Preset of one of the server's providers, in place of `provider`; the provider's slug must be the preset's name",
      },
      provider_user_id: text("Identifier of the user at the provider"),
    }),
    attributes: { type: "object", description: "Values of attributes, by name" },
    memberships: list("Memberships in existing organizations", {
      organization: text("Slug or ID of the organization"),
      role: text("Name of the role in the organization"),
      permissions: { type: "array", items: { type: "string" } },
      role_ids: { type: "array", items: { type: "string" }, description: "Names or IDs of additional roles" },
      app_role_ids: {
        type: "array",
        items: { type: "string" },
        description: "App roles, each by its ID or as API-identifier#role-name",
      },
      groups: {
        type: "array",
        items: { type: "string" },
        description: "Names of groups of the organization",
      },
    }),
  },
};

export const importPaths: Readonly<Record<string, PathItem>> = {
  "/api/v1/import/people": {
    post: {
      ...operationOf(["server"], [importScope], {
        operationId: "importPeople",
        summary: "Import users from another system",
        description: `Repeating a request changes nothing. Each person counts as a request toward the rate limit. Only platform administrators may import users. A token or API key also needs the scope \`${importScope}\` or \`${manageScope}\`. The body is limited to ${mostImportBytes / 1_048_576} MiB.`,
        parameters: [parameterRef("IdempotencyKey")],
        requestBody: {
          required: true,
          content: content(
            {
              type: "object",
              required: ["source", "people"],
              additionalProperties: false,
              properties: {
                source: text("Name of the other system", { pattern: sourceShape.source }),
                dry_run: {
                  type: "boolean",
                  description: "Whether to return the results without importing. Default: false",
                },
                complete_applied: {
                  type: "boolean",
                  description:
                    "Whether to add data to users that a manifest created, with the same ID and email address, who cannot sign in yet. Accepted only with the source `postern`. Default: false",
                },
                people: { type: "array", minItems: 1, maxItems: mostImported, items: person },
              },
            },
            { source: "keycloak", people: [{ external_id: "5f7c8ec7", email: "ada@example.com" }] },
          ),
        },
        responses: {
          "200": {
            description: "One result for each person, in the same order",
            headers: { "Idempotency-Replayed": headerRef("IdempotencyReplayed") },
            content: content(
              {
                type: "object",
                required: ["results"],
                properties: {
                  results: {
                    type: "array",
                    items: {
                      type: "object",
                      required: ["status", "losses", "errors"],
                      properties: {
                        status: { type: "string", enum: ["created", "updated", "unchanged", "refused"] },
                        id: text("ID of the user; absent if `status` is `refused`", { format: "uuid" }),
                        losses: {
                          ...errors,
                          description: "Fields that could not be imported, although the person was",
                        },
                        errors: {
                          ...errors,
                          description: "Why the person was not imported; empty unless `status` is `refused`",
                        },
                      },
                    },
                  },
                },
              },
              {
                results: [
                  { status: "created", id: "01b8dac5-b400-70d9-b771-c9532d1957a4", losses: [], errors: [] },
                ],
              },
            ),
          },
          ...refusals([...always, 413, 415, 422]),
        },
      }),
    },
  },
};
