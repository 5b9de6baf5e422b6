/** The definitions of all tables: the twelve of spec section 2 in order, then Postern's own. */

import { appTypes, plans } from "../names/names.ts";
import { appMembers } from "./app_members.ts";
import {
  bool,
  defaulting,
  type Fields,
  id,
  int,
  type NewRowOf,
  object,
  oneOf,
  optional,
  type RowOf,
  reference,
  signature,
  string,
  strings,
  text,
  time,
  uuid,
} from "./field.ts";
import { machineTables } from "./machine_tables.ts";
import { ownTables } from "./own_tables.ts";
import { givenRoles } from "./role_tables.ts";
import { signInTables } from "./sign_in_tables.ts";
import {
  active,
  attributes,
  created_at,
  last_used_at,
  requestOf,
  revoked,
  revoked_at,
  revoked_reason,
  scopes,
  type TableDefinition,
  table,
  tokens_not_before,
  updated_at,
} from "./table.ts";
import { codeMembers, tokenMembers } from "./token_members.ts";
import { consentMembers, linkedAccountMembers, userMembers } from "./user_members.ts";

export const tables = {
  users: table("2.1 User", {
    id: id(),
    email: string("email address of the user", {
      format: "email",
      not_empty: true,
      unique: true,
      max_length: 320,
      searchable: true,
    }),
    name: string("display name", { plain: "line", not_empty: true, max_length: 255, searchable: true }),
    avatar_url: optional(string("URL of the profile picture", { format: "url", max_length: 2048 })),
    password_hash: optional(string("Argon2id hash", { sensitive: true })),
    is_platform_admin: defaulting(
      bool("whether the user is a platform administrator", { confidential: true }),
      false,
    ),
    active: active("whether the user may sign in"),
    last_login_at: optional(time("time of the last sign-in; null if never", { confidential: true })),
    created_at,
    updated_at,
    ...userMembers,
  }).with({
    owner: {
      user: { column: "id" },
      readers: { table: "memberships", row: "user_id", organization: "organization_id" },
      added_to: ["platform"],
    },
    indexes: { few: ["email", "email_key"], wide: ["active"] },
    counted_as: null,
  }),

  organizations: table("2.2 Organization", {
    id: id(),
    name: string("display name", { plain: "line", not_empty: true, max_length: 255, searchable: true }),
    slug: string("short name in URLs", {
      format: "slug",
      not_empty: true,
      unique: true,
      max_length: 64,
      searchable: true,
    }),
    logo_url: optional(string("URL of the logo", { format: "picture", max_length: 2048 })),
    settings: optional(
      object(
        "settings of the organization. The server uses only `audience`, `brand`, `session` and `sign_up`",
        {
          format: "organization_settings",
        },
      ),
    ),
    plan: defaulting(
      oneOf("subscription tier, for your own billing; without effect on this server", plans),
      "free",
    ),
    active: active(
      "whether the organization is active; if not, tokens of its apps and service accounts are revoked",
    ),
    created_at,
    updated_at,
    tokens_not_before,
    attributes,
  }).with({
    owner: { organization: "id", added_to: ["platform"] },
    indexes: { few: ["slug"] },
    counted_as: null,
  }),

  memberships: table("2.3 Membership", {
    id: id(),
    user_id: reference("users", "the member", "cascade"),
    organization_id: reference("organizations", "the organization that the user is a member of", "cascade"),
    role: string("role in the organization; a name of your own grants no permissions on this server", {
      plain: "line",
      format: "membership_role",
      not_empty: true,
      max_length: 64,
    }),
    permissions: optional(
      strings("permissions on this server in addition to those of `role`", {
        most: { items: 100, characters: 64 },
      }),
    ),
    created_at,
    updated_at,
    ...givenRoles((roles) => `the member's ${roles}`),
    attributes,
  }).with({
    unique: [["user_id", "organization_id"]],
    owner: { user: { column: "user_id" }, organization: "organization_id", added_to: ["organization_id"] },
    indexes: { ordered: ["user_id", "organization_id"], pair: ["user_id", "organization_id"] },
    counted_as: "members",
  }),

  oauth_accounts: table("2.4 OAuthAccount", {
    id: id(),
    user_id: reference("users", "user who signs in with the account", "cascade"),
    provider: string("slug of the provider", { format: "prose", not_empty: true, max_length: 64 }),
    provider_user_id: string("user identifier at the provider", { not_empty: true, max_length: 255 }),
    access_token: text("stored encrypted", { sensitive: true, sealed_for: "linked_account" }),
    refresh_token: optional(text("stored encrypted", { sensitive: true, sealed_for: "linked_account" })),
    expires_at: optional(time("expiry of the provider's access token")),
    created_at,
    updated_at,
    ...linkedAccountMembers,
  }).with({
    unique: [["provider", "provider_user_id"]],
    owner: { user: { column: "user_id" }, added_to: ["user_id"] },
    indexes: { ordered: ["user_id", "provider_id"] },
    counted_as: "linked_accounts",
  }),

  api_keys: table("2.5 APIKey", {
    id: id(),
    name: string("key name", { plain: "line", not_empty: true, max_length: 255, searchable: true }),
    key_prefix: string("first characters of the key", { max_length: 12 }),
    key_hash: signature("SHA256 hash of the key", { unique: true, sensitive: true }),
    user_id: optional(reference("users", "owning user; null if an organization owns the key", "cascade")),
    organization_id: optional(
      reference("organizations", "owning organization; null if a user owns the key", "cascade"),
    ),
    scopes: scopes("scopes of the key", { format: "scope" }),
    expires_at: optional(time("when the key expires; null means never")),
    last_used_at,
    revoked: revoked("API key"),
    created_at,
    scope_owners: defaulting(
      object("for each scope that an API defines, the owners of the APIs at which the key has it", {
        internal: true,
      }),
      {},
    ),
  }).with({
    owner: {
      user: { column: "user_id" },
      organization: "organization_id",
      added_to: ["organization_id", "user_id"],
    },
    indexes: { few: ["key_hash"], ordered: ["user_id", "organization_id"] },
    counted_as: "api_keys",
  }),

  oauth_apps: table("2.6 OAuthApp", {
    id: id(),
    client_id: string("OAuth client ID", {
      format: "client_id",
      unique: true,
      immutable: true,
      not_empty: true,
      max_length: 2048,
      searchable: true,
    }),
    name: string("app name", { plain: "line", not_empty: true, max_length: 255, searchable: true }),
    description: optional(string("description", { plain: "lines", max_length: 1000 })),
    logo_url: optional(string("URL of the logo", { format: "picture", max_length: 2048 })),
    app_type: defaulting(oneOf("type of app", appTypes), "web"),
    owner_id: reference(
      "users",
      "user who created the app; the owner if `organization_id` is null",
      "restrict",
    ),
    organization_id: optional(
      reference("organizations", "owning organization; null if a user owns the app", "cascade"),
    ),
    redirect_uris: defaulting(
      strings("allowed redirect URIs", { format: "redirect_uri", distinct: true }),
      [],
    ),
    allowed_scopes: scopes("scopes that the app may request", { format: "scope", distinct: true }),
    allowed_grants: defaulting(strings("allowed grant types", { format: "grant", distinct: true }), [
      "auth_code",
      "refresh",
    ]),
    allowed_response_types: defaulting(
      strings("allowed response types", { format: "response_type", distinct: true }),
      ["code"],
    ),
    access_token_ttl: defaulting(
      int("access token lifetime in seconds", { unit: "seconds", min: 1, max: 31_536_000 }),
      900,
    ),
    refresh_token_ttl: defaulting(
      int("refresh token lifetime in seconds", { unit: "seconds", min: 1, max: 315_360_000 }),
      604_800,
    ),
    refresh_token_rotation: defaulting(
      bool("whether each refresh returns a new refresh token. Public apps always get one"),
      true,
    ),
    first_party: defaulting(
      bool(
        "whether the app belongs to the server's operator. Users are then asked for consent only if the app requests `prompt=consent`",
      ),
      false,
    ),
    public: defaulting(bool("whether the app is a public client, which has no secret"), false),
    active: active("whether the app may request tokens; if not, its tokens are revoked"),
    revoked_at,
    metadata: optional(
      object(
        "custom data of the app. The server uses `refresh_reuse_window`, `scope_descriptions`, `client_uri`, `policy_uri` and `tos_uri`",
        {
          format: "app_metadata",
        },
      ),
    ),
    created_at,
    updated_at,
    ...appMembers,
  }).with({
    owner: {
      user: { column: "owner_id", where: { organization_id: null } },
      organization: "organization_id",
      added_to: ["organization_id", "platform"],
    },
    indexes: { few: ["client_id"], ordered: ["owner_id", "organization_id"] },
    counted_as: null,
  }),

  oauth_app_secrets: table("2.7 OAuthAppSecret", {
    id: id(),
    app_id: reference("oauth_apps", "app that the secret belongs to", "cascade"),
    secret_hash: string("Argon2id hash", { sensitive: true, not_empty: true }),
    secret_prefix: string("first characters of the secret; empty if only its hash was given", {
      max_length: 12,
    }),
    expires_at: optional(time("when the secret expires; null means never")),
    last_used_at,
    revoked: revoked("secret"),
    revoked_at,
    created_at,
  }).with({
    owner: { through: ["app_id"], added_to: ["app_id"] },
    indexes: { ordered: ["app_id"] },
    counted_as: "secrets",
  }),

  oauth_tokens: table("2.8 OAuthToken", {
    id: id(),
    app_id: reference("oauth_apps", "app that the token was issued to", "cascade"),
    user_id: optional(reference("users", "user that the token was issued for; null if none", "cascade")),
    service_account_id: optional(
      reference("service_accounts", "service account that the token was issued to; null if none", "cascade"),
    ),
    access_token_signature: signature("hash of the access token", { unique: true }),
    refresh_token_signature: optional(signature("hash of the refresh token", { unique: true })),
    family_id: uuid("ID that all tokens of one authorization share"),
    scopes: scopes("granted scopes"),
    audience: defaulting(strings("audience of the access token"), []),
    session_id: optional(string("ID of the session that the token was issued in; null if none")),
    request_data: optional(text("the server's own data about the authorization, as JSON text")),
    access_expires_at: time("expiry of the access token"),
    refresh_expires_at: optional(time("expiry of the refresh token; null if there is none")),
    revoked: revoked("token"),
    revoked_at,
    revoked_reason,
    ...requestOf("the token request"),
    last_used_at,
    created_at,
    ...tokenMembers,
  }).with({
    owner: {
      user: { column: "user_id" },
      through: ["app_id", "service_account_id"],
      added_to: ["platform"],
    },
    indexes: {
      few: ["access_token_signature", "session_id"],
      // An index of a user's tokens in id order would cost 50 bytes of disk per token. It is not needed,
      // because one user has few tokens.
      counted: "user_id",
      ordered: ["service_account_id", "app_id"],
      pair: ["user_id", "app_id"],
    },
    counted_as: "tokens",
  }),

  oauth_auth_codes: table("2.9 OAuthAuthCode", {
    id: id(),
    code_signature: signature("hash of the code", { unique: true }),
    app_id: reference("oauth_apps", "app that the code was issued to", "cascade"),
    user_id: reference("users", "user who signed in", "cascade"),
    code_challenge: optional(string("PKCE challenge; null without PKCE")),
    code_challenge_method: defaulting(optional(string("method of the PKCE challenge")), "S256"),
    redirect_uri: text("redirect URI of the authorization request"),
    scopes: scopes("scopes of the authorization"),
    state: optional(text("parameter `state` of the authorization request")),
    nonce: optional(text("parameter `nonce` of the authorization request")),
    request_data: optional(text("the server's own data about the request and the sign-in, as JSON text")),
    expires_at: time("expiry of the code"),
    used: defaulting(bool("whether the code was exchanged for tokens"), false),
    used_at: optional(time("when the code was exchanged for tokens; null if never")),
    ...requestOf("the authorization request"),
    created_at,
    ...codeMembers,
  }).with({
    owner: { user: { column: "user_id" }, through: ["app_id"], added_to: ["platform"] },
    indexes: { few: ["code_signature"], ordered: ["user_id", "app_id"] },
    counted_as: null,
  }),

  oauth_consents: table("2.10 OAuthConsent", {
    id: id(),
    user_id: reference("users", "user who consented", "cascade"),
    app_id: reference("oauth_apps", "app that received the consent", "cascade"),
    scopes: scopes("scopes that the user consented to"),
    granted: defaulting(bool("whether the user gave the consent; a revocation does not change this"), true),
    granted_at: time("when the user consented"),
    last_used_at,
    revoked: revoked("consent"),
    revoked_at,
    revoked_reason,
    created_at,
    updated_at,
    ...consentMembers,
  }).with({
    unique: [["user_id", "app_id"]],
    owner: { user: { column: "user_id" }, through: ["app_id"], added_to: ["user_id"] },
    indexes: { ordered: ["user_id", "app_id"], pair: ["user_id", "app_id"] },
    counted_as: "consents",
  }),

  ...machineTables,
  ...ownTables,
  ...signInTables,
} as const satisfies Record<string, TableDefinition>;

type Tables = typeof tables;
export type TableName = keyof Tables;
export type Row<T extends TableName> = RowOf<Tables[T]["fields"]>;
export type NewRow<T extends TableName> = NewRowOf<Tables[T]["fields"]>;
export type ColumnOf<T extends TableName> = keyof Tables[T]["fields"] & string;

export type User = Row<"users">;
export type Organization = Row<"organizations">;
export type Membership = Row<"memberships">;
export type OAuthAccount = Row<"oauth_accounts">;
export type APIKey = Row<"api_keys">;
export type OAuthApp = Row<"oauth_apps">;
export type OAuthAppSecret = Row<"oauth_app_secrets">;
export type OAuthToken = Row<"oauth_tokens">;
export type OAuthAuthCode = Row<"oauth_auth_codes">;
export type OAuthConsent = Row<"oauth_consents">;
export type ServiceAccount = Row<"service_accounts">;
export type ServiceAccountKeyPair = Row<"service_account_key_pairs">;
export type ApiResource = Row<"resources">;
export type Session = Row<"sessions">;
export type SigningKeyRow = Row<"signing_keys">;
export type AuditEvent = Row<"audit_events">;
export type Refusal = Row<"refusals">;
export type AttributeDefinition = Row<"attribute_definitions">;
export type Invitation = Row<"invitations">;
export type Provider = Row<"providers">;
export type Role = Row<"roles">;
export type Group = Row<"groups">;
export type AppRole = Row<"app_roles">;

/** Returns the fields of a table without their literal types, for code that handles any table. */
export function fieldsOf(table: TableName): Fields {
  return tables[table].fields;
}
