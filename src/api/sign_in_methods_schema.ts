import { type ExposedTable, exposedColumns, type SignInMethods } from "../admin/records/sign_in_methods.ts";
import { acrValues } from "../records/names/sign_in_methods.ts";
import type { Json } from "./operation.ts";
import { columnsSchema, exampleFor, type ObjectSchema } from "./schemas.ts";

const row = (table: ExposedTable): ObjectSchema => columnsSchema(table, exposedColumns[table]);

const properties = {
  user_id: { type: "string", format: "uuid", description: "The user" },
  password: { type: "boolean", description: "Whether the user has a password" },
  passkeys: { type: "array", items: row("passkeys") },
  authenticator_apps: { type: "array", items: row("totp_authenticators") },
  recovery_codes: { type: "integer", minimum: 0, description: "Number of unused recovery codes" },
  linked_accounts: { type: "array", items: row("oauth_accounts") },
  recovery: {
    type: ["object", "null"],
    description:
      "Recovery that the user started after losing second factors or passkeys; null if none is pending",
    properties: {
      lost: {
        type: "string",
        enum: ["second_factors", "passkeys"],
        description: "What the user lost: all second factors, or only passkeys",
      },
      started_at: { type: "string", format: "date-time" },
      due_at: {
        type: "string",
        format: "date-time",
        description:
          "When the user can set up new second factors or, if `lost` is `passkeys`, when the lost passkeys are deleted",
      },
      expires_at: {
        type: "string",
        format: "date-time",
        description: "When the recovery expires",
      },
    },
    required: ["lost", "started_at", "due_at", "expires_at"],
    additionalProperties: false,
  },
  highest_acr: {
    type: ["string", "null"],
    enum: [...acrValues, null],
    description: "Highest `acr` that the user can reach; null if the user has no sign-in method",
  },
} as const satisfies Record<keyof SignInMethods, Json>;

export const signInMethodsSchema: ObjectSchema = {
  type: "object",
  description: "Sign-in methods of a user, without secrets",
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
