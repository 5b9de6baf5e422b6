/** Service accounts and their key pairs (spec 2.11 and 2.12). */
import { keyAlgorithms, keyTypes } from "../names/names.ts";
import { defaulting, id, oneOf, optional, reference, string, text, time } from "./field.ts";
import {
  active,
  created_at,
  last_used_at,
  revoked,
  revoked_at,
  scopes,
  switched_off_by_platform,
  type TableDefinition,
  table,
  tokens_not_before,
  updated_at,
} from "./table.ts";

export const machineTables = {
  service_accounts: table("2.11 ServiceAccount", {
    id: id(),
    name: string("display name", { plain: "line", not_empty: true, max_length: 255, searchable: true }),
    description: optional(string("description", { plain: "lines", max_length: 1000 })),
    email: string("name of the account, in the form of an email address", {
      format: "email",
      unique: true,
      not_empty: true,
      max_length: 320,
      searchable: true,
    }),
    organization_id: reference("organizations", "owning organization", "cascade"),
    created_by: reference("users", "user who created the service account", "restrict"),
    allowed_scopes: scopes("scopes that the service account may request", { format: "scope" }),
    active: active("whether the service account may authenticate; if not, its tokens are revoked"),
    last_used_at,
    created_at,
    updated_at,
    email_key: string("case-insensitive key of the email address", { internal: true, unique: true }),
    tokens_not_before,
    switched_off_by_platform,
  }).with({
    owner: { organization: "organization_id", added_to: ["organization_id"] },
    indexes: { few: ["email", "email_key"], ordered: ["organization_id", "created_by"] },
    counted_as: null,
  }),

  service_account_key_pairs: table("2.12 ServiceAccountKeyPair", {
    id: id(),
    service_account_id: reference(
      "service_accounts",
      "service account that the key pair belongs to",
      "cascade",
    ),
    key_id: string("key ID, which signed assertions name as `kid`", { not_empty: true, max_length: 255 }),
    key_type: defaulting(oneOf("type of the key", keyTypes), "rsa"),
    algorithm: defaulting(
      oneOf("algorithm of the signatures", keyAlgorithms, { format: "signature_algorithm" }),
      "RS256",
    ),
    public_key_pem: text("public key in PEM", { not_empty: true }),
    expires_at: optional(time("when the key expires; null means never")),
    active: active("whether the service account may authenticate with the key"),
    last_used_at,
    revoked: revoked("key pair"),
    revoked_at,
    created_at,
  }).with({
    unique: [["service_account_id", "key_id"]],
    owner: { through: ["service_account_id"], added_to: ["service_account_id"] },
    indexes: { ordered: ["service_account_id"] },
    counted_as: "key_pairs",
  }),
} as const satisfies Record<string, TableDefinition>;
