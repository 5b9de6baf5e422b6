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
const errors = list("Errors in the data of the person", {
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
    external_id: text("Unique identifier in the source system; required unless `id` is set"),
    id: text("ID of the user on this server; generated if absent", { format: "uuid" }),
    email: text("Email address", { format: "email", maxLength: 320 }),
    email_verified_at: time("When the email address was verified; if absent, it is not verified"),
    name: text("Display name; if absent, it is the email address", { maxLength: 255 }),
    avatar_url: text("Profile picture", { format: "uri", maxLength: 2048 }),
    active: { type: "boolean", description: "Whether the user may sign in; true if absent" },
    is_platform_admin: {
      type: "boolean",
      description:
        "Whether the user is a platform administrator of the source server; the import appoints no administrators",
    },
    created_at: time("When the account was created; if absent, the time of the import"),
    password: {
      type: "object",
      description: "Password hash of another system (docs/moving-in.md), or an Argon2id hash",
      properties: { hash: { type: "string" }, argon2id: { type: "string" } },
    },
    webauthn_user_handle: text("User handle of the passkeys, 32 bytes in base64url"),
    totp: list("Authenticator apps", {
      otpauth: text("otpauth://totp/ URI with SHA-1, 6 digits and a period of 30 seconds"),
      name: text("Name of the authenticator app"),
    }),
    passkeys: list("Passkeys and security keys registered for this server's host", {
      credential_id: text("Credential ID in base64url"),
      public_key: text("COSE key in base64url"),
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
      provider: text("Slug of the provider; required unless `preset` is set"),
      preset: {
        type: "string",
        enum: providerPresets,
        description:
          "Preset of the provider: the account is linked to the provider that has this slug and preset, the preset's endpoints, and no organization",
      },
      provider_user_id: text("Identifier at the provider"),
    }),
    attributes: { type: "object", description: "Attribute values by name (docs/attributes.md)" },
    memberships: list("Memberships in existing organizations", {
      organization: text("Slug or ID of the organization"),
      role: text("Role name"),
      permissions: { type: "array", items: { type: "string" } },
      role_ids: { type: "array", items: { type: "string" }, description: "Names or IDs of additional roles" },
      app_role_ids: {
        type: "array",
        items: { type: "string" },
        description: "App roles, each given by its ID or as API-identifier#role-name",
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
        description: `Only platform administrators may import users. A token or API key also needs the scope \`${importScope}\` or \`${manageScope}\`. Imports at most ${mostImported} people. Repeating a request changes nothing. A field that cannot be imported is listed in \`losses\`; the rest of the person is imported. The body is limited to ${mostImportBytes / 1_048_576} MiB.`,
        parameters: [parameterRef("IdempotencyKey")],
        requestBody: {
          required: true,
          content: content(
            {
              type: "object",
              required: ["source", "people"],
              additionalProperties: false,
              properties: {
                source: text("Name of the system", { pattern: sourceShape.source }),
                dry_run: {
                  type: "boolean",
                  description: "Whether to report the changes without making them",
                },
                complete_applied: {
                  type: "boolean",
                  description:
                    "Whether sign-in methods are added to existing users who were created by a manifest, have the same ID and email address, and cannot sign in yet. Set this only for people exported by another Postern server. Needs an unrestricted credential",
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
                        id: text("ID of the user", { format: "uuid" }),
                        losses: { ...errors, description: "Fields that were not imported" },
                        errors: { ...errors, description: "Why the person was not imported" },
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
