import type { ColumnOf, TableName } from "../../../records/definition/definition.ts";
import { memberLabels } from "./member_fields.ts";
import { providerLabels } from "./provider_fields.ts";

type ManagedTable = Exclude<
  TableName,
  | "invitations"
  | "statistics"
  | "ephemera"
  | "client_documents"
  | "session_apps"
  | "signal_streams"
  | "manifest_records"
  | "manifest_names"
  | "passkeys"
  | "totp_authenticators"
  | "foreign_passwords"
  | "imported_people"
  | "recovery_codes"
  | "devices"
  | "recoveries"
  | "retired_providers"
>;

type Unshown =
  | "password_hash"
  | "secret_hash"
  | "key_hash"
  | "id_signature"
  | "private_key_sealed"
  | "access_token_signature"
  | "refresh_token_signature"
  | "code_signature"
  | "email_key"
  | "identifier_key"
  | "name_key"
  | "tokens_not_before"
  | "ended_grants"
  | "reset_links_not_before"
  | "switched_off_by_platform"
  | "rotated_at"
  | "satisfied_request"
  | "upstream_session"
  | "scope_owners"
  | "client_secret"
  | "cnf"
  | "dpop_jkt"
  | "document_hash"
  | "scopes_by_resource"
  | "gone_at"
  | "arrived"
  | "behind"
  | "secrets_sealed"
  | "webauthn_handle"
  | "device_notices"
  | "language"
  | "email_locked_until"
  | "deletion_at"
  | "factors_reset_at"
  | "claimed_until"
  | "claimed_by"
  | "username_key"
  | "name_key"
  | "claim_key";

/** Fields of resources that are not columns: inputs, filters, and values shown only once. */
type Beside =
  | "q"
  | "group"
  | "created_from"
  | "created_before"
  | "password"
  | "current_password"
  | "successor"
  | "kind"
  | "secrets"
  | "value"
  | "hash"
  | "expire_others_in"
  | "resume"
  | "secret"
  | "key"
  | "jwk"
  | "private_key_pem"
  | "activates_in"
  | "access_token"
  | "refresh_token"
  | "email"
  | "client_secret"
  | "links";

type Column = { [T in ManagedTable]: ColumnOf<T> }[ManagedTable];

export type FieldLabels = Readonly<
  Record<Exclude<Column, Unshown> | Beside | keyof typeof memberLabels, string>
>;

export const fieldLabels: FieldLabels = {
  ...providerLabels,
  ...memberLabels,
  sign_in_roles: "Roles that may sign in",
  sign_in_groups: "Groups that may sign in",
  app_role_ids: "App roles",
  descriptions: "Descriptions by language",
  display_name: "Name",
  external_id: "ID in the directory",
  failing_since: "Failing since",
  group_id: "Group",
  membership_id: "Membership",
  resource_id: "API",
  role_bound: "Scopes only by app role",
  role_ids: "Additional roles",
  sign_in_claims: "Sign-in claims in access tokens",
  access_expires_at: "Access token expires",
  access_token: "Access token of the provider",
  access_token_signing_alg: "Access token algorithm",
  access_token_ttl: "Access token lifetime",
  acr: "Sign-in level",
  activates_at: "Signs from",
  activates_in: "Published before it signs",
  active: "Active",
  actor_id: "Actor",
  actor_kind: "Kind of actor",
  algorithm: "Algorithm",
  allowed_grants: "Grants",
  allowed_response_types: "Response types",
  allowed_scopes: "Allowed scopes",
  app_id: "App",
  app_ids: "Apps that implement this API",
  app_type: "Kind of app",
  attempt: "Attempts",
  backchannel_logout_internal: "Sign-out notices to private addresses",
  backchannel_logout_session_required: "Sign-out notices name each session",
  backchannel_logout_uri: "Address for sign-out notices",
  due_at: "Next attempt",
  event_id: "Ended session or event",
  kind: "Kind",
  audience: "Audience",
  authenticated_at: "Signed in",
  avatar_url: "Picture",
  claims_dialect: "Claims of another product",
  claims_in_id_token: "Name and email in ID tokens",
  client_assertion_audience: "Audience of client assertions",
  client_id: "Client ID",
  client_ip: "IP address",
  code_challenge: "PKCE challenge",
  code_challenge_method: "PKCE method",
  created_at: "Created",
  created_before: "Created before",
  created_by: "Created by",
  created_from: "Created from",
  current_password: "Current password",
  data: "Data",
  default_scopes: "Default scopes",
  description: "Description",
  details: "Details",
  disabled_reason: "Reason for deactivation",
  dpop_bound_access_tokens: "Bind tokens to a key (DPoP)",
  dpop_bound_refresh_tokens: "Bind refresh tokens to their key (DPoP)",
  dpop_bound_access_tokens_required: "Require tokens bound to a key (DPoP)",
  email: "Email",
  email_verified_at: "Email verified at",
  ended_at: "Ended",
  endpoint: "Endpoint",
  error: "Error code",
  evidence: "Received and expected",
  expire_others_in: "Other secrets expire after",
  expires_at: "Expires",
  family_id: "Token family",
  first_party: "Skip consent (first-party app)",
  granted: "Granted",
  granted_at: "Granted on",
  id: "Record ID",
  id_token_signed_response_alg: "ID token algorithm",
  identifier: "Identifier",
  is_platform_admin: "Platform administrator",
  jwk: "Public key as JWK",
  jwks: "Public keys",
  jwks_uri: "Address of public keys",
  key: "API key",
  key_id: "Key ID",
  key_prefix: "Begins with",
  key_type: "Kind of key",
  kid: "Thumbprint",
  last_fault: "Last error",
  last_login_at: "Last sign-in",
  last_seen_at: "Last seen",
  last_status: "Last status",
  last_used_at: "Last used",
  logo_url: "Logo",
  metadata: "Metadata",
  methods: "Signed in with",
  name: "Name",
  nonce: "Nonce",
  organization_id: "Organization",
  group: "Events",
  outcome: "Outcome",
  owner_id: "Owner",
  password: "Password",
  permissions: "Permissions",
  plan: "Plan",
  position: "Position",
  post_logout_redirect_uris: "Post-logout redirect URIs",
  private_key_pem: "Private key",
  localhost_any_port: "Any port of localhost",
  profile: "Profile",
  provenance: "Origin",
  provider: "Provider",
  provider_user_id: "Identifier at the provider",
  public: "Public app",
  public_jwk: "Public key",
  public_key_pem: "Public key in PEM",
  q: "Search",
  redirect_uri: "Redirect URI",
  redirect_uris: "Redirect URIs",
  refresh_expires_at: "Refresh token expires",
  refresh_token: "Refresh token of the provider",
  refresh_token_rotation: "Refresh token rotation",
  refresh_token_ttl: "Refresh token lifetime",
  registration: "Registration",
  request_data: "Original request",
  request_id: "Request",
  require_acr: "Required sign-in level",
  who_may_sign_in: "Who may sign in",
  attributes: "Attributes",
  claim: "Claim",
  email_as_username: "Email address as username",
  label: "Label",
  max: "Maximum",
  pattern: "Pattern",
  readers: "Readers",
  record_type: "Kind of record",
  value_type: "Type of values",
  writers: "Writers",
  claims: "Claims of users and memberships",
  organization_mode: "Organization of tokens",
  require_pkce: "Require PKCE",
  session_expiry_in_id_token: "Session end in ID tokens",
  remembered: "Stays signed in",
  idle_ends_at: "Ends if unused",
  include: "Also send",
  internal: "Private address allowed",
  require_pushed_authorization_requests: "Require pushed requests",
  resources: "Allowed APIs",
  resume: "Continue with",
  retires_at: "Signs until",
  revoked: "Revoked",
  revoked_at: "Revoked on",
  revoked_reason: "Reason",
  role: "Role",
  scopes: "Scopes",
  secret: "Secret",
  secret_prefix: "Begins with",
  secrets: "Existing secrets",
  service_account_id: "Service account",
  session_id: "Session",
  settings: "Settings",
  short_id: "Short ID",
  slug: "Slug",
  state: "State",
  subject_id: "Subject",
  subject_key: "Subject ID",
  subject_kind: "Kind of subject",
  successor: "Successor",
  target_id: "Target",
  target_table: "Kind of record",
  token_endpoint_auth_method: "Client authentication",
  trailing_slash_alias: "Ignore a trailing slash",
  token_endpoint_auth_signing_alg: "Client assertion algorithm",
  type: "Event",
  types: "Types of events",
  updated_at: "Changed",
  url: "URL that receives events",
  used: "Exchanged",
  used_at: "Exchanged on",
  user_agent: "Browser or program",
  user_id: "User",
  value: "Existing secret",
  hash: "Hash of an existing secret",
  who_may_ask: "Who may request tokens",
};
