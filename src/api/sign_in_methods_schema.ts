/** What a user signs in with, as the OpenAPI document has it. */
import { type ExposedTable, exposedColumns, type SignInMethods } from "../admin/records/sign_in_methods.ts";
import { acrValues } from "../records/names/sign_in_methods.ts";
import type { Json } from "./operation.ts";
import { columnsSchema, exampleFor, type ObjectSchema } from "./schemas.ts";

const row = (table: ExposedTable): ObjectSchema => columnsSchema(table, exposedColumns[table]);

const properties = {
  user_id: { type: "string", format: "uuid", description: "The user" },
  password: { type: "boolean", description: "The user has a password" },
  passkeys: { type: "array", items: row("passkeys") },
  authenticator_apps: { type: "array", items: row("totp_authenticators") },
  recovery_codes: { type: "integer", minimum: 0, description: "Recovery codes that are left" },
  linked_accounts: { type: "array", items: row("oauth_accounts") },
  recovery: {
    type: ["object", "null"],
    description: "The user waits to replace what they say is lost; null otherwise",
    properties: {
      lost: {
        type: "string",
        enum: ["second_factors", "passkeys"],
        description: "All second factors, or passkeys alone, which are removed when it is due",
      },
      started_at: { type: "string", format: "date-time" },
      due_at: { type: "string", format: "date-time", description: "From then on" },
      expires_at: { type: "string", format: "date-time", description: "Until then" },
    },
    required: ["lost", "started_at", "due_at", "expires_at"],
    additionalProperties: false,
  },
  highest_acr: {
    type: ["string", "null"],
    enum: [...acrValues, null],
    description: "The highest level that the user can reach; null where there is no way in",
  },
} as const satisfies Record<keyof SignInMethods, Json>;

export const signInMethodsSchema: ObjectSchema = {
  type: "object",
  description: "What a user enrolled to sign in with; no key, no secret and no credential id",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
};

export const signInMethodsExample: Json = {
  user_id: "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a",
  password: true,
  passkeys: [exampleFor(row("passkeys"))],
  authenticator_apps: [],
  recovery_codes: 8,
  linked_accounts: [],
  recovery: null,
  highest_acr: "phr",
};
